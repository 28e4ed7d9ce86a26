import sys, os, time, threading, json
sys.path.insert(0,os.path.dirname(os.path.abspath(__file__)))
import numpy as np
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.features import COUNT
from zermelo.games.backgammon.outcomes import GammonOutcomes
from zermelo.networks.network import Network
from zermelo.learn.td import *
import pubeval
pubeval.TRUTH=os.environ["PUB"]+"/pubeval_%s.txt"
units=int(sys.argv[1]); seconds=float(sys.argv[2]); threads=int(sys.argv[3]); r0,r1=float(sys.argv[4]),float(sys.argv[5]); seed=int(sys.argv[6]); out=sys.argv[7]
g=Backgammon(); net=Network(COUNT,units,GammonOutcomes(),seed=seed)
if len(sys.argv)>8:
    f=np.load(sys.argv[8])
    for n in ("first","first_bias","second","second_bias"): getattr(net,n)[:]=f[n]
t=time.time(); LEARN.compiled(g,net,Lesson(net),Random(seed),1,5000,0.1,0.0,0.0)(g.initial()); print("compiled",time.time()-t,flush=True)
start=time.time(); games=[0]*threads; 
def rate(): 
    x=min(1,(time.time()-start)/seconds); return r0*(r1/r0)**x
def work(i):
    les=Lesson(net); rnd=Random(seed*1000+i)
    while time.time()-start<seconds:
        games[i]+=LEARN.compiled(g,net,les,rnd,50,5000,rate(),0.0,0.0)(g.initial())
ts=[threading.Thread(target=work,args=(i,)) for i in range(threads)]
[x.start() for x in ts]
log=[]; nxt=10
while any(x.is_alive() for x in ts):
    time.sleep(1)
    if time.time()-start>nxt:
        nxt*=1.6
        m,e=pubeval.score(net,8000); log.append((sum(games),time.time()-start,m,e)); print(log[-1],flush=True)
m,e=pubeval.score(net,40000); log.append((sum(games),time.time()-start,m,e)); print("final",log[-1])
np.savez(out,first=net.first,first_bias=net.first_bias,second=net.second,second_bias=net.second_bias,log=np.array(log))
