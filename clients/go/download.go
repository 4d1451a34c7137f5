package gateway

import (
	"context"
	"io"
	"mime"
)

// Download is a recording as a file. The caller reads and closes Body.
type Download struct {
	// Name is what the gateway would call the file.
	Name        string
	ContentType string
	Body        io.ReadCloser
}

// Download reads the recording of a session as a file: csv, json, cast, evidence, or any other extension for the plain
// content. params may be nil; its Extension has no effect.
func (c *Client) Download(
	ctx context.Context, sessionID, extension string, params *GetSessionParams,
) (*Download, error) {
	var wanted GetSessionParams
	if params != nil {
		wanted = *params
	}
	wanted.Extension = &extension
	response, err := c.GetSessionRaw(ctx, sessionID, &wanted)
	if err != nil {
		return nil, err
	}
	_, disposition, _ := mime.ParseMediaType(response.Header.Get("Content-Disposition"))
	return &Download{
		Name:        disposition["filename"],
		ContentType: response.Header.Get("Content-Type"),
		Body:        response.Body,
	}, nil
}
