package provider

import (
	"errors"
	"net/http"

	gateway "github.com/access-gateway/access-gateway/clients/go"
)

// explained is an error with what to do about it.
func explained(err error) string {
	var refused *gateway.Error
	if !errors.As(err, &refused) {
		return err.Error()
	}
	text := refused.Error()
	switch refused.Status {
	case http.StatusUnauthorized:
		text += "\n\nThe token of the provider is not, or no longer, valid: see token, or the variable " + tokenVariable + "."
	case http.StatusForbidden:
		text += "\n\nThe token of the provider needs the rights of an admin: an API key whose groups include the admin group."
	}
	if refused.RequestID != "" {
		text += "\n\nRequest " + refused.RequestID + "."
	}
	return text
}
