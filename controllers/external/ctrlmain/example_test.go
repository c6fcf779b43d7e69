package ctrlmain_test

import (
	"context"
	"net/http"

	"github.com/kubestep/kubestep/controllers/external/ctrlmain"
)

// The main function of a controller passes the transport on to its clients: rest.Config{Host: ctrlmain.Host, Transport: transport}.
func ExampleMain() {
	ctrlmain.Main(func(ctx context.Context, transport http.RoundTripper) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, ctrlmain.Host+"/version", nil)
		if err != nil {
			return err
		}
		response, err := transport.RoundTrip(request)
		if err != nil {
			return err
		}
		return response.Body.Close()
	})
}
