package main
import ("testing";"encoding/json";"os";"strings";"gogotb/index")
func TestPlot(t *testing.T){
 b,_:=os.ReadFile("../../index/testdata/stats.jsonl")
 for _,l:=range strings.Split(strings.TrimSpace(string(b)),"\n"){
  var v struct{Material string; Histogram []uint64; Legal uint64; Mate_wins, Mate_losses uint64}
  json.Unmarshal([]byte(l),&v)
  m,_:=index.ParseMaterial(v.Material)
  s:=index.Stats{Histogram:v.Histogram,Legal:v.Legal, MateWins: v.Mate_wins}
  for _,e:=range []string{"svg","png"} { if err:=plotStats("/tmp/plot_"+v.Material+"."+e,m,&s);err!=nil{t.Fatal(err)}}
 }
}
