package deployment

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/controller"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

// rolling is the strategy RollingUpdate: scale the new ReplicaSet up if there is room; only if there is
// none, scale the old ones down.
func (t *syncModel) rolling() error {
	t.limits()
	newRS, old, err := t.newReplicaSet(true)
	if err != nil {
		return err
	}
	all := append(slices.Clip(old), newRS)
	scaled, err := t.scaleUp(newRS, all)
	if err != nil {
		return err
	}
	if scaled {
		return t.progress(newRS, all)
	}
	scaled = t.scaleDown(newRS, controller.FilterActiveReplicaSets(old), all)
	if !scaled && deploymentutil.DeploymentComplete(t.d, &t.d.Status) {
		t.cleanUpHistory(old)
	}
	return t.progress(newRS, all)
}

// LimitsFunction is the Function of the step that resolves maxSurge and maxUnavailable.
const LimitsFunction = "ResolveFenceposts"

// limits resolves maxSurge and maxUnavailable.
func (t *syncModel) limits() {
	replicas := *t.d.Spec.Replicas
	s := t.out.Step(fmt.Sprintf("limits for %d replicas", replicas), utilFile, LimitsFunction)
	limits(s, t.d.Spec.Strategy.RollingUpdate, replicas)
	s.Line("maxTotalPods", fmt.Sprintf("%d + %d", replicas, deploymentutil.MaxSurge(*t.d)), replicas+deploymentutil.MaxSurge(*t.d))
	s.Line("minAvailable", fmt.Sprintf("%d - %d", replicas, deploymentutil.MaxUnavailable(*t.d)), deploymentutil.MinAvailable(t.d))
}

// limits adds one line for each limit: 25% of 10 = 2.5, rounded up -> 3.
func limits(s *arithmetic.Step, update *appsv1.RollingUpdateDeployment, replicas int32) {
	surge, unavailable, err := deploymentutil.ResolveFenceposts(update.MaxSurge, update.MaxUnavailable, replicas)
	if err != nil {
		s.Line("maxSurge, maxUnavailable", err.Error(), "not valid")
		return
	}
	s.Line("maxSurge", percentText(update.MaxSurge, replicas, "rounded up"), surge)
	formula := percentText(update.MaxUnavailable, replicas, "rounded down")
	rounded, err := intstr.GetScaledValueFromIntOrPercent(
		intstr.ValueOrDefault(update.MaxUnavailable, intstr.FromInt32(0)), int(replicas), false)
	switch {
	case err == nil && rounded == 0 && unavailable == 1:
		formula = percentText(update.MaxUnavailable, replicas, "") + ", rounded down to 0; with maxSurge 0 the rollout could not start, so"
	case unavailable > replicas:
		formula = strings.TrimSpace(formula + fmt.Sprintf(" not above replicas %d", replicas))
		unavailable = min(unavailable, replicas)
	}
	s.Line("maxUnavailable", formula, unavailable)
}

// percentText is like "25% of 10 = 2.5, rounded up"; a plain number has none. rounded is what follows a number that is not whole.
func percentText(limit *intstr.IntOrString, replicas int32, rounded string) string {
	if limit == nil || limit.Type == intstr.Int {
		return ""
	}
	percent, err := strconv.Atoi(strings.TrimSuffix(limit.StrVal, "%"))
	if err != nil {
		return ""
	}
	exact := strconv.FormatFloat(float64(percent)*float64(replicas)/100, 'f', -1, 64)
	if strings.Contains(exact, ".") && rounded != "" {
		return fmt.Sprintf("%s of %d = %s, %s", limit.StrVal, replicas, exact, rounded)
	}
	return fmt.Sprintf("%s of %d = %s", limit.StrVal, replicas, exact)
}

// scaleUp gives the new ReplicaSet what there is room for.
func (t *syncModel) scaleUp(newRS *appsv1.ReplicaSet, all []*appsv1.ReplicaSet) (bool, error) {
	s := t.out.Step("scale the new one up?", rollingFile, "reconcileNewReplicaSet")
	replicas, size := *t.d.Spec.Replicas, *newRS.Spec.Replicas
	if size >= replicas {
		s.Line(newRS.Name, fmt.Sprintf("%d of %d", size, replicas), "has them all")
		_, scaled, err := t.scale(newRS, replicas, false)
		if scaled {
			t.say("%s, since spec.replicas is %d", doing(t.out.Effects), replicas)
			t.because("more than spec.replicas %d", replicas)
		}
		return scaled, err
	}
	to, err := deploymentutil.NewRSNewReplicas(t.d, all, newRS)
	if err != nil {
		return false, err
	}
	most, current := replicas+deploymentutil.MaxSurge(*t.d), deploymentutil.GetReplicaCountForReplicaSets(all)
	s.Line("maxTotalPods", fmt.Sprintf("%d + %d", replicas, deploymentutil.MaxSurge(*t.d)), most)
	s.Line("currentPodCount", sizes(all), current)
	if current >= most {
		s.Line("scaleUpCount", fmt.Sprintf("%d >= %d: no room", current, most), to-size)
	} else {
		s.Line("scaleUpCount", fmt.Sprintf("min(%d - %d, %d - %d)", most, current, replicas, size), to-size)
	}
	_, scaled, err := t.scale(newRS, to, false)
	if scaled {
		t.say("%s: there is room for %d more", doing(t.out.Effects), most-current)
		t.because("%s", room(most, current, to-size))
	}
	return scaled, err
}

// room is like "13 - 11 Pods = room for 2", or with an end "..., 1 is missing" if fewer are needed.
func room(most, current, wanted int32) string {
	switch left := most - current; {
	case left <= 0:
		return fmt.Sprintf("%d - %d Pods: no room", most, current)
	case wanted < left:
		return fmt.Sprintf("%d - %d Pods = room for %d, only %d missing", most, current, left, wanted)
	default:
		return fmt.Sprintf("%d - %d Pods = room for %d", most, current, left)
	}
}

// scaleDown takes from the old ReplicaSets what is not needed for minAvailable: first Pods that are not
// available anyway, then others. The controller drops the errors of this part, so it has none to return.
func (t *syncModel) scaleDown(newRS *appsv1.ReplicaSet, active, all []*appsv1.ReplicaSet) (scaled bool) {
	s := t.out.Step("scale old ones down?", rollingFile, "reconcileOldReplicaSets")
	oldPods := deploymentutil.GetReplicaCountForReplicaSets(active)
	if oldPods == 0 {
		s.Line("old Pods", "", "0, all are gone")
		return false
	}
	count, least := deploymentutil.GetReplicaCountForReplicaSets(all), deploymentutil.MinAvailable(t.d)
	missing := *newRS.Spec.Replicas - newRS.Status.AvailableReplicas
	spare := count - least - missing
	s.Line("allPodsCount", sizes(all), count)
	s.Line("newRSUnavailable", fmt.Sprintf("%d - %d available", *newRS.Spec.Replicas, newRS.Status.AvailableReplicas), missing)
	s.Line("maxScaledDown", fmt.Sprintf("%d - minAvailable %d - %d", count, least, missing), spare)
	if spare <= 0 {
		t.say("%s", t.waitReason(oldPods, missing, least, all))
		t.because("%d Pods - minAvailable %d - %d new not available = %d", count, least, missing, spare)
		return false
	}
	active, cleaned, err := t.cleanUp(active, spare)
	shrunk := int32(0)
	if err == nil {
		shrunk, err = t.shrink(append(slices.Clip(active), newRS), active, least, cleaned)
	}
	if err != nil {
		t.say("%v; the controller drops this error and does not try again until something triggers a sync", err)
		return false
	}
	return cleaned+shrunk > 0
}

// waitReason describes why nothing may go.
func (t *syncModel) waitReason(oldPods, missing, least int32, all []*appsv1.ReplicaSet) string {
	available := deploymentutil.GetAvailableReplicaCountForReplicaSets(all)
	why := fmt.Sprintf("waiting: %d available, fewer than minAvailable %d", available, least)
	switch {
	case available == least:
		why = fmt.Sprintf("waiting: %d available = minAvailable %d", available, least)
	case available > least:
		why = fmt.Sprintf("waiting: %d available, but some old Pods are already terminating", available)
	}
	if oldPods == 1 {
		why += ", so the old Pod cannot be removed"
	} else {
		why += fmt.Sprintf(", so none of the %d old Pods can be removed", oldPods)
	}
	switch {
	case missing == 1:
		why += "; 1 new Pod is not available yet"
	case missing > 1:
		why += fmt.Sprintf("; %d new Pods are not available yet", missing)
	}
	return why
}

// cleanUp scales old ReplicaSets down by their Pods that are not available, oldest first.
func (t *syncModel) cleanUp(active []*appsv1.ReplicaSet, most int32) ([]*appsv1.ReplicaSet, int32, error) {
	sort.Sort(controller.ReplicaSetsByCreationTimestamp(active))
	s := t.out.Step("first, old Pods that are not available", rollingFile, "cleanupUnhealthyReplicas")
	total := int32(0)
	for i, rs := range active {
		size, available := *rs.Spec.Replicas, rs.Status.AvailableReplicas
		if total >= most {
			s.Line(rs.Name, fmt.Sprintf("maxScaledDown %d is used up", most), 0)
			break
		}
		if size == available {
			s.Line(rs.Name, fmt.Sprintf("%d - %d available", size, available), 0)
			continue
		}
		count := min(most-total, size-available)
		s.Line(rs.Name, fmt.Sprintf("min(%d - %d, %d - %d available)", most, total, size, available), count)
		if count < 0 {
			// More available than wanted: its status is older than its size.
			return active, total, fmt.Errorf("the status of %s has more available than it should have Pods", rs.Name)
		}
		updated, _, err := t.scale(rs, size-count, false)
		if err != nil {
			return active, total, err
		}
		total += count
		active[i] = updated
	}
	return active, total, nil
}

// shrink scales old ReplicaSets down while more than minAvailable are available, oldest first.
func (t *syncModel) shrink(all, active []*appsv1.ReplicaSet, least, cleaned int32) (int32, error) {
	s := t.out.Step("then, available old Pods", rollingFile, "scaleDownOldReplicaSetsForRollingUpdate")
	available := deploymentutil.GetAvailableReplicaCountForReplicaSets(all)
	spare := available - least
	s.Line("to spare", fmt.Sprintf("%d available - minAvailable %d", available, least), max(spare, 0))
	sort.Sort(controller.ReplicaSetsByCreationTimestamp(active))
	total := int32(0)
	for _, rs := range active {
		if total >= spare {
			break
		}
		size := *rs.Spec.Replicas
		if size == 0 {
			continue
		}
		count := min(size, spare-total)
		s.Line(rs.Name, fmt.Sprintf("min(%d, %d - %d)", size, spare, total), count)
		if _, _, err := t.scale(rs, size-count, false); err != nil {
			return total, err
		}
		total += count
	}
	if cleaned > 0 {
		t.because("%d old not available", cleaned)
	}
	switch {
	case total > 0 && total < spare:
		t.because("%d available - %d = %d to spare, only %d left", available, least, spare, total)
	case total > 0 || cleaned == 0:
		t.because("%d available - %d = %d to spare", available, least, spare)
	}
	switch {
	case cleaned+total == 0:
		t.say("waiting: %d available = minAvailable %d, so no old Pod can be removed", available, least)
	case cleaned > 0 && total > 0:
		t.say("%s: %d old Pods were not available, and %[4]d of %[3]d available ones must stay",
			doing(t.out.Effects), cleaned, available, least)
	case cleaned > 0:
		t.say("%s: these %d were not available anyway", doing(t.out.Effects), cleaned)
	default:
		t.say("%s: %d are available, and %d must stay", doing(t.out.Effects), available, least)
	}
	return total, nil
}

// sizes is like "5 + 8": the new ReplicaSet first, then the old ones that have Pods.
func sizes(all []*appsv1.ReplicaSet) string {
	var parts []string
	for i := len(all) - 1; i >= 0; i-- {
		if rs := all[i]; rs != nil && (*rs.Spec.Replicas > 0 || i == len(all)-1) {
			parts = append(parts, strconv.Itoa(int(*rs.Spec.Replicas)))
		}
	}
	return strings.Join(parts, " + ")
}
