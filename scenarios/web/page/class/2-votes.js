// The votes of a student. A vote counts as given only when the server has it.
// Why a vote is not there. Those that may arrive later are tried again, the others not.
const later = {
  0: say("no connection"),
  401: say("joining the class"),
  423: say("the class is locked"),
  429: say("too many requests at once"),
  503: say("the class is full"),
};
const never = {
  400: say("this is not an answer to the question"),
  403: say("this class is over, or its code is another one"),
  409: say("this vote is over"),
};
const rounds = { vote: 0, again: 1 };
// The ballots of this page, by question and vote.
const ballots = new Map();
const ballotOf = (step, round) => ballots.get(now.lesson + "/" + step + "/" + round);
const forget = () => ballots.clear();

async function sendVote(step, text) {
  const round = rounds[room.phase(step)];
  if (round === undefined) return;
  const lesson = now.lesson,
    key = lesson + "/" + step + "/" + round,
    ballot = ballots.get(key) || {};
  Object.assign(ballot, { text, trouble: "" });
  ballots.set(key, ballot);
  redraw();
  if (ballot.sending) return;
  ballot.sending = true;
  for (let wait = 500; ballot.sending;) {
    const sent = ballot.text;
    let status = 0;
    try {
      status = (await post("/vote", { lesson, step, round, text: sent })).status;
      if (status === 401) await fetch("/?" + secret);
      connected(true);
    } catch (e) {
      connected(false);
    }
    if (status === 204 && now.lesson === lesson) {
      now.state.mine = now.state.mine || {};
      const mine = (now.state.mine[step] = now.state.mine[step] || ["", ""]);
      mine[round] = sent;
    }
    if (sent !== ballot.text) continue;
    ballot.sending = status !== 204 && !never[status];
    ballot.trouble = status === 204 ? "" : never[status] || say("{trouble}, trying again", { trouble: later[status] || say("the server answers {status}", { status }) });
    if (status === 204) ballots.delete(key);
    redraw();
    if (!ballot.sending) return;
    await pause(wait);
    wait = Math.min(2 * wait, 4000);
  }
}

// What the player asks of the class. A presenter may have several windows: one for the class, one at hand.
const self = String(Math.random()).slice(2);
let led = "";
const room = {
  part: config.part,
  get lost() {
    return now.lost;
  },
  phase: (step) => (now.state.phases && now.state.phases[step]) || "vote",
  mine: (step) => (now.state.mine && now.state.mine[step]) || ["", ""],
  // The ballot of the vote that is open or, after it, one that never arrived.
  ballot: (step) => {
    const round = rounds[room.phase(step)];
    if (round !== undefined) return ballotOf(step, round);
    const last = ballotOf(step, 1) || ballotOf(step, 0);
    return last && last.trouble ? last : undefined;
  },
  // Whether a vote has never arrived.
  late: (step) => [0, 1].some((round) => ballotOf(step, round)),
  tally: (step) => (now.state.tally && now.state.tally[step]) || [{}, {}],
  here: () => now.state.here || 0,
  vote: sendVote,
  go: (step, phase) => lead({ do: "phase", step, phase }),
  lead: async (at) => {
    // While a player is being made, it is at the begin.
    if (!now.film || led === placeOf(at)) return;
    const place = (led = placeOf(at)),
      branch = now.branch && { ...now.branch, at };
    while (led === place && !(await lead({ do: "place", window: self, lesson: now.lesson, at, branch }))) await pause(1000);
  },
};
// lead carries out a command of the presenter, and reports whether the server has it.
async function lead(command) {
  try {
    const answer = await post("/lead", command);
    connected(true);
    // What is not possible now will not be so later.
    return answer.ok || answer.status === 400;
  } catch (e) {
    connected(false);
    return false;
  }
}
