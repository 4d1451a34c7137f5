package acceptance

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	gateway "github.com/access-gateway/access-gateway/clients/go"
)

const label = `
resource "accessgateway_attribute" "it" {
  name        = %q
  description = %q
}
`

// Nobody's change is overwritten: not after the plan, and not between reading and writing.
func TestConflict(t *testing.T) {
	client, name := api(t), fresh(t, "a")
	describe := func(text string) {
		_, err := client.UpdateAttribute(t.Context(), name, nil, gateway.AttributeChangeBody{Description: &text})
		check(t, err)
	}
	described := func() string {
		return got[gateway.AttributeView](t)(client.GetAttribute(t.Context(), name)).Description
	}
	var once sync.Once
	between := func() {}
	target, err := url.Parse(variable(t, "GATEWAY_API"))
	check(t, err)
	passes := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: target.Scheme, Host: target.Host})
	proxy := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		if request.Method != http.MethodGet {
			once.Do(between)
		}
		passes.ServeHTTP(response, request)
	}))
	t.Cleanup(proxy.Close)

	w := begin(t)
	w.write(label, name, "first")
	w.apply()
	w.write(label, name, "second")
	w.must(append(planned, "-out=change")...)
	describe("by somebody else")
	w.fails([]string{"apply", "-no-color", "change"}, "was changed since it was planned", "Changed: description.", "Nothing was overwritten")
	equal(t, "description", described(), "by somebody else")

	w.must(append(planned, "-destroy", "-out=removal")...)
	describe("by somebody else, again")
	w.fails([]string{"apply", "-no-color", "removal"}, "was changed since it was planned", "the delete was not made")
	equal(t, "description", described(), "by somebody else, again")

	w.environment = append(w.environment, "GATEWAY_URL="+proxy.URL+target.Path)
	for _, command := range [][]string{applied, removed} {
		once, between = sync.Once{}, func() { describe("by somebody faster") }
		describe("before")
		w.fails(command, "was changed since it was planned", "Somebody was faster")
		equal(t, "description", described(), "by somebody faster")
	}
	between = func() {}
	w.apply()
	equal(t, "description", described(), "second")

	// Deleted after the plan: to delete it again is no fault, to change it is one.
	w.write(label, name, "third")
	w.must(append(planned, "-out=change")...)
	_, err = client.DeleteAttribute(t.Context(), name, nil)
	check(t, err)
	w.fails([]string{"apply", "-no-color", "change"}, "was deleted since it was planned")
	w.destroy()
}
