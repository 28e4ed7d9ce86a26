import random
from zermelo.games.backgammon.checkers import *
def may_step(low,high,ol,oh,origin,die):
    if count_at(low,high,origin)==0 or (origin!=25 and count_at(low,high,25)>0): return False
    t=origin-die
    if t>0: return count_at(ol,oh,25-t)<2
    if any(count_at(low,high,q) for q in range(7,26)): return False
    return t==0 or not any(count_at(low,high,q) for q in range(origin+1,7))
from zermelo.games.backgammon.moves import *
from zermelo.game.state import u64
def pack(d):
    lo=hi=0
    for p,n in d.items():
        if p<16: lo+=n<<4*p
        else: hi+=n<<4*p-64
    return u64(lo),u64(hi)
START=pack({24:2,13:5,8:3,6:5})
def seqs(pos,dice):
    """all maximal sequences -> dict result->len, brute"""
    out={}
    def go(pos,dice,n,first):
        moved_any=False
        for k,d in enumerate(dice):
            for o in range(25,0,-1):
                if may_step(*pos,o,d):
                    moved_any=True
                    go(step(*pos,o,d),dice[:k]+dice[k+1:],n+1,first or d)
        if not moved_any: out.setdefault(pos,set()).add((n,first))
    go(pos,tuple(dice),0,0)
    return out
def brute(pos,l,s):
    dice=(l,)*4 if l==s else (l,s)
    o=seqs(pos,dice); m=max(n for v in o.values() for n,_ in v)
    res={p for p,v in o.items() if any(n==m for n,_ in v)}
    if l!=s and m==1:
        big={p for p,v in o.items() if (1,l) in v}
        if big: res=big
    return res
def mine(pos,l,s):
    ms=list(double_moves(*pos,l) if l==s else single_moves(*pos,l,s))
    rs=[play(*pos,l,s,m) for m in ms]
    assert len(set(rs))==len(rs),(pos,l,s)
    return rs
if __name__=="__main__":
    tot=0
    one=[]
    for l in range(1,7):
        for s in range(1,l+1):
            r=mine((*START,*START),l,s); one+=r; tot+=len(r)
            assert set(r)==brute((*START,*START),l,s)
            if (l,s) in((1,1),(6,5)): print(l,s,len(r))
    print(tot)
    rnd=random.Random(1); worst=0
    for g in range(25):
        pos=(*START,*START)
        while True:
            l,s=sorted((rnd.randint(1,6),rnd.randint(1,6)),reverse=True)
            r=mine(pos,l,s); worst=max(worst,len(r))
            if l!=s or rnd.random()<1.0:
                assert set(r)==brute(pos,l,s),(pos,l,s)
            p=rnd.choice(r); pos=(p[2],p[3],p[0],p[1])
            if count_at(p[0],p[1],0)==15: break
    print("ok",worst)
