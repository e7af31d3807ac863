package gather

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	_ "image/gif" // the formats that models take
	"image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/webp"
)

var errBroken = errors.New("it is broken or ends too early")

// checkImage returns an error if an image file, in one of the formats that models take, is cut off. It decodes the
// header and looks for the end, but does not decode the pixels, so that the check needs no more memory than the file.
// A server says itself what it does not like in between.
func checkImage(kind string, data []byte) error {
	var odd jpeg.UnsupportedError // servers may support it
	if _, _, err := image.DecodeConfig(bytes.NewReader(data)); err != nil && !errors.As(err, &odd) {
		return errBroken
	}
	end := ""
	switch kind {
	case "image/png":
		end = "IEND"
	case "image/jpeg":
		end = "\xff\xd9"
		data = data[max(0, bytes.LastIndex(data, []byte("\xff\xda"))):] // thumbnails, which end likewise, come before
	case "image/gif":
		end = "\x00;" // the empty block that ends a picture, and the mark
	case "image/webp": // the size after RIFF counts what follows it
		if uint64(binary.LittleEndian.Uint32(data[4:8]))+8 > uint64(len(data)) {
			return errBroken
		}
	}
	if !bytes.Contains(data, []byte(end)) {
		return errBroken
	}
	return nil
}
