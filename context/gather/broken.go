package gather

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	_ "image/gif" // the formats that models take
	"image/jpeg"
	_ "image/png"
	"io"

	_ "golang.org/x/image/webp"
)

var (
	errBroken = errors.New("it is broken")
	errEnds   = errors.New("it is broken: the file ends too early")
)

// checkImage returns an error if an image file, in one of the formats that models take, is damaged. It decodes the
// header and walks through the parts of the file, but not the pixels, so that the check needs no more memory than
// the file.
func checkImage(kind string, data []byte) error {
	var odd jpeg.UnsupportedError
	switch _, _, err := image.DecodeConfig(bytes.NewReader(data)); {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return errEnds
	case errors.As(err, &odd): // servers may support it
	case err != nil:
		return errBroken
	}
	switch kind {
	case "image/png":
		return checkPNG(data)
	case "image/jpeg":
		return checkJPEG(data)
	case "image/gif":
		return checkGIF(data)
	case "image/webp": // the size after RIFF counts what follows it
		if uint64(binary.LittleEndian.Uint32(data[4:8]))+8 > uint64(len(data)) {
			return errEnds
		}
	}
	return nil
}

// checkPNG walks through the chunks of a PNG file up to the last: size, name, data and checksum. It ignores the
// checksum of a chunk whose name begins with a lower-case letter, because the image can be shown without that
// chunk.
func checkPNG(data []byte) error {
	const around = 12 // bytes of a chunk without its data
	rest := data[8:]
	for len(rest) >= around {
		size := uint64(binary.BigEndian.Uint32(rest))
		if size+around > uint64(len(rest)) {
			return errEnds
		}
		needed := rest[4]&0x20 == 0
		if needed && crc32.ChecksumIEEE(rest[4:8+size]) != binary.BigEndian.Uint32(rest[8+size:]) {
			return errBroken
		}
		if string(rest[4:8]) == "IEND" {
			return nil
		}
		rest = rest[around+size:]
	}
	return errEnds
}

// checkJPEG looks for the end marker after the first scan. Within a scan these bytes can only be that marker;
// before it, they may belong to a thumbnail.
func checkJPEG(data []byte) error {
	const scan, end = 0xda, 0xd9
	for at := 2; at+4 <= len(data) && data[at] == 0xff; {
		switch mark := data[at+1]; {
		case mark == 0xff: // padding
			at++
		case mark == scan:
			if !bytes.Contains(data[at:], []byte{0xff, end}) {
				return errEnds
			}
			return nil
		case mark == 1 || mark >= 0xd0 && mark <= 0xd7: // markers without a size
			at += 2
		default:
			at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
		}
	}
	return errEnds
}

// checkGIF walks through the blocks of a GIF file up to the first image, the one that models look at.
func checkGIF(data []byte) error {
	const extension, frame, end = 0x21, 0x2c, 0x3b
	at := 13 + colourTableSize(data[10])
	for at < len(data) {
		switch data[at] {
		case extension:
			if at = skipBlocks(data, at+2); at < 0 {
				return errEnds
			}
		case frame:
			if at+10 > len(data) || skipBlocks(data, at+11+colourTableSize(data[at+9])) < 0 {
				return errEnds
			}
			return nil
		case end:
			return errors.New("it is broken: it holds no picture")
		default:
			return errBroken
		}
	}
	return errEnds
}

// colourTableSize returns the size in bytes of a colour table, according to the flags before it.
func colourTableSize(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

// skipBlocks returns the offset after the sub-blocks at an offset, -1 if they do not end: each begins with its
// size, and the last is empty.
func skipBlocks(data []byte, at int) int {
	for at < len(data) {
		size := int(data[at])
		at += 1 + size
		if size == 0 {
			return at
		}
	}
	return -1
}
