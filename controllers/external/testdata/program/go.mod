module example.com/program

go 1.26.0

require github.com/kubestep/kubestep/controllers/external/ctrlmain v0.0.0

replace github.com/kubestep/kubestep/controllers/external/ctrlmain => ../../ctrlmain
