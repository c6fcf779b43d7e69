// A module of its own without requirements, so that a controller that imports it keeps its own versions of everything.
module github.com/kubestep/kubestep/controllers/external/ctrlmain

go 1.26.0
