package tui

// Panics and AsKubestep are for TestMain, which lies outside of this package because package command imports it.
var Panics = panics

// AsKubestep makes the test binary be kubestep.
const AsKubestep = asKubestep
