package output

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// New writes a whole private file under a name that is free. The error is fs.ErrExist if it is not: of several processes that do this at
// the same time, one succeeds.
func New(path string, data []byte) error {
	file, err := createBeside(path, mode{privateMode, true})
	if err != nil {
		return &Error{path, err}
	}
	defer os.Remove(file.Name())
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err != nil {
		return &Error{path, err}
	}
	if err := os.Link(file.Name(), path); err != nil {
		return &Error{path, err}
	}
	return nil
}

// Take moves a file out of the way if it is the one that the caller has looked at, and removes it. taken is false if it is another one by
// now, which keeps its name.
func Take(path string, is func(path string) bool) (taken bool, err error) {
	free, err := createBeside(path, mode{privateMode, true})
	if err != nil {
		return false, &Error{path, err}
	}
	free.Close()
	defer os.Remove(free.Name())
	if err := os.Rename(path, free.Name()); err != nil {
		return errors.Is(err, fs.ErrNotExist), nil
	}
	if is(free.Name()) {
		return true, nil
	}
	// If somebody has made yet another one, that one stays.
	_ = os.Link(free.Name(), path)
	return false, nil
}

const (
	// lockWait is how long Lock waits for another program, in real time, and lockTry how often it tries.
	lockWait, lockTry = 3 * time.Second, 50 * time.Millisecond
)

// Lock makes the file that stands for the right to write another one, as client-go does for a kubeconfig: PATH.lock. It waits for a program
// that has it. The error is an *ExistsError if that takes too long.
func Lock(path string) (unlock func(), err error) {
	lock := path + ".lock"
	for waited := time.Duration(0); ; waited += lockTry {
		file, err := os.OpenFile(lock, os.O_CREATE|os.O_EXCL, 0)
		switch {
		case err == nil:
			file.Close()
			return func() { os.Remove(lock) }, nil
		case !errors.Is(err, fs.ErrExist):
			return nil, &Error{lock, err}
		case waited >= lockWait:
			return nil, &ExistsError{lock, "exists: another program writes " + path, "to remove it, if no other program runs", nil}
		}
		time.Sleep(lockTry)
	}
}
