package history

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ibid/vault"
)

// fill sets every field of a struct to a value other than zero.
func fill(v reflect.Value, n *int) {
	switch *n++; v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(int64(*n), 5)))
			return
		}
		for i := range v.NumField() {
			f := v.Field(i)
			fill(reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem(), n)
		}
	case reflect.String:
		v.SetString(string(rune('a' + *n)))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(-*n * 1000))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.ValueOf([]string{"", string(rune('a' + *n))}))
	default:
		panic("a field of a kind that a cache does not keep: " + v.Type().String())
	}
}

// TestFields: a cache keeps every field, and refuses what was damaged.
func TestFields(t *testing.T) {
	var l listedFile
	n := 0
	fill(reflect.ValueOf(&l).Elem(), &n)
	l.sum.Path, l.sum.Modified = l.path, l.mtime
	l.sum.Copy, l.sum.Unsaved = "", false // a list finds out each time
	data := l.encode()
	got, ok := decodeListed(data)
	if d := cmp.Diff(&l, got, cmp.AllowUnexported(listedFile{}, chatFile{}, Summary{})); d != "" || !ok {
		t.Errorf("read back %v: %s", ok, d)
	}
	for i := range data {
		data[i]++
		if _, ok := decodeListed(data); ok {
			t.Errorf("byte %d was damaged and is taken", i)
		}
		data[i]--
		if _, ok := decodeListed(data[:i]); ok {
			t.Errorf("%d of %d bytes are taken", i, len(data))
		}
	}
	empty := listedFile{chatFile: chatFile{path: vault.Path("x.md"), mtime: time.Unix(1, 0)}, seen: time.Unix(2, 0)}
	if got, ok := decodeListed(empty.encode()); !ok || got.path != "x.md" || got.sum.Notes != nil {
		t.Errorf("of nothing much: %+v, %v", got, ok)
	}
}
