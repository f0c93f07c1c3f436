module gogotb

go 1.25
