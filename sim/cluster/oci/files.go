package oci

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
)

// File is an open file of a container.
type File interface {
	io.Reader
	io.Writer
	io.Closer
}

// Mount is a file or a folder of the machine in a container.
type Mount struct {
	// At is its name in the container, and From its name on the machine.
	At, From string
	ReadOnly bool
	// Memory means that it is a tmpfs.
	Memory bool
}

// Files are the files of a container: its own, and those of its mounts. Names are absolute and clean. A symbolic link leads to a file of
// the same mount or nowhere, so that no name leads out of the container.
type Files struct {
	// mounts begin with those whose names are longest; the last one is the container's own files.
	mounts []Mount
	// written counts the bytes that are written.
	written atomic.Int64
}

// MaxWritten is how many bytes the processes of a container may write to files: their disk is that of the machine on which the simulation
// runs.
const MaxWritten = 64 << 20

// NewFiles returns the files of a container whose own ones are in a folder of the machine. It makes the places of mounts there, as
// container runtimes do.
func NewFiles(own string, readOnly bool, mounts []Mount) (*Files, error) {
	f := &Files{mounts: slices.Clone(mounts)}
	slices.SortStableFunc(f.mounts, func(a, b Mount) int { return len(b.At) - len(a.At) })
	for _, folder := range []string{"dev", "etc", "proc", "root", "tmp", "usr", "var"} {
		if err := os.MkdirAll(filepath.Join(own, folder), 0o755); err != nil {
			return nil, err
		}
	}
	if err := os.Chmod(filepath.Join(own, "tmp"), 0o777|fs.ModeSticky); err != nil {
		return nil, err
	}
	for _, m := range f.mounts {
		if err := makePlace(filepath.Join(own, m.At), m.From); err != nil {
			return nil, err
		}
	}
	f.mounts = append(f.mounts, Mount{At: "/", From: own, ReadOnly: readOnly})
	return f, nil
}

// makePlace makes an empty file or folder for a mount.
func makePlace(place, from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.MkdirAll(place, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(place, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	return file.Close()
}

// Mounts are the mounts of the container, the root first.
func (f *Files) Mounts() []Mount {
	all := slices.Clone(f.mounts)
	slices.Reverse(all)
	return all
}

// MountOf returns the mount that a file is in.
func (f *Files) MountOf(name string) Mount {
	for _, m := range f.mounts {
		if name == m.At || m.At == "/" || strings.HasPrefix(name, m.At+"/") {
			return m
		}
	}
	return f.mounts[len(f.mounts)-1] // which has the name /
}

// within calls do with the folder of the machine that a file is below, and its name there. change means that the file system has to allow
// that it is written to.
func (f *Files) within(operation, name string, change bool, do func(root *os.Root, name string) error) error {
	m := f.MountOf(name)
	folder, rest := m.From, strings.TrimPrefix(strings.TrimPrefix(name, m.At), "/")
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		folder, rest = filepath.Dir(folder), filepath.Base(folder)
	}
	if rest == "" {
		rest = "."
	}
	if change && m.ReadOnly {
		return &fs.PathError{Op: operation, Path: name, Err: syscall.EROFS}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return in(name, err)
	}
	defer root.Close()
	return in(name, do(root, rest))
}

// in gives an error the name that the file has in the container.
func in(name string, err error) error {
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		return &fs.PathError{Op: of.Op, Path: name, Err: of.Err}
	}
	if of := (*os.LinkError)(nil); errors.As(err, &of) {
		return &fs.PathError{Op: of.Op, Path: name, Err: of.Err}
	}
	return err
}

// Open opens a file. One that it makes has the permissions perm, whatever those are that new files of the machine do not get.
func (f *Files) Open(name string, flag int, perm fs.FileMode) (file File, err error) {
	change := flag&(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC|os.O_APPEND) != 0
	err = f.within("open", name, change, func(root *os.Root, rest string) error {
		_, missing := root.Stat(rest)
		opened, err := root.OpenFile(rest, flag, 0o600)
		if err != nil {
			return err
		}
		if missing != nil {
			if err := opened.Chmod(perm); err != nil {
				return err
			}
		}
		file = &limited{opened, f}
		return nil
	})
	return file, err
}

// limited is a file of a container, which may not fill the disk.
type limited struct {
	*os.File
	files *Files
}

// Write implements io.Writer.
func (l *limited) Write(data []byte) (int, error) {
	if l.files.written.Add(int64(len(data))) > MaxWritten {
		return 0, syscall.ENOSPC
	}
	return l.File.Write(data)
}

// Stat describes a file; of a symbolic link, the one that it leads to.
func (f *Files) Stat(name string) (info fs.FileInfo, err error) {
	err = f.within("stat", name, false, func(root *os.Root, rest string) (err error) {
		info, err = root.Stat(rest)
		return err
	})
	return info, err
}

// ReadDir lists a folder, in the order of names.
func (f *Files) ReadDir(name string) (entries []fs.DirEntry, err error) {
	err = f.within("open", name, false, func(root *os.Root, rest string) (err error) {
		entries, err = fs.ReadDir(root.FS(), rest)
		return err
	})
	return entries, err
}

// Mkdir makes a folder, and those above it if parents is true.
func (f *Files) Mkdir(name string, perm fs.FileMode, parents bool) error {
	if _, err := f.Stat(name); err == nil {
		if parents {
			return nil
		}
		return &fs.PathError{Op: "mkdir", Path: name, Err: syscall.EEXIST}
	}
	if parents && name != "/" {
		if err := f.Mkdir(path.Dir(name), perm, true); err != nil {
			return err
		}
	}
	return f.within("mkdir", name, true, func(root *os.Root, rest string) error {
		if err := root.Mkdir(rest, 0o700); err != nil {
			return err
		}
		return root.Chmod(rest, perm)
	})
}

// Remove removes a file or an empty folder, and what a folder has if all is true.
func (f *Files) Remove(name string, all bool) error {
	return f.within("remove", name, true, func(root *os.Root, rest string) error {
		if rest == "." || f.MountOf(name).At == name {
			return &fs.PathError{Op: "remove", Path: name, Err: syscall.EBUSY}
		}
		if all {
			return root.RemoveAll(rest)
		}
		return root.Remove(rest)
	})
}

// Rename gives a file another name in the same mount.
func (f *Files) Rename(from, to string) error {
	m := f.MountOf(from)
	if m != f.MountOf(to) {
		return &fs.PathError{Op: "rename", Path: to, Err: syscall.EXDEV}
	}
	return f.within("rename", from, true, func(root *os.Root, rest string) error {
		return root.Rename(rest, strings.TrimPrefix(strings.TrimPrefix(to, m.At), "/"))
	})
}

// Chmod changes the permissions of a file.
func (f *Files) Chmod(name string, perm fs.FileMode) error {
	return f.within("chmod", name, true, func(root *os.Root, rest string) error { return root.Chmod(rest, perm) })
}

// Symlink makes a symbolic link. It leads to a file of the same mount: the kernel of the machine would follow others.
func (f *Files) Symlink(to, name string) error {
	rest := strings.TrimPrefix(strings.TrimPrefix(name, f.MountOf(name).At), "/")
	if path.IsAbs(to) || !filepath.IsLocal(path.Join(path.Dir(rest), to)) {
		return &fs.PathError{Op: "symlink", Path: name, Err: syscall.EPERM}
	}
	return f.within("symlink", name, true, func(root *os.Root, rest string) error { return root.Symlink(to, rest) })
}

// Readlink returns where a symbolic link leads to.
func (f *Files) Readlink(name string) (to string, err error) {
	err = f.within("readlink", name, false, func(root *os.Root, rest string) (err error) {
		to, err = root.Readlink(rest)
		return err
	})
	return to, err
}
