"""Points per game of a network at 0-ply against pubeval, cubeless with gammons."""
import sys, time, math
import numpy as np
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.checkers import count_at, BAR, OFF
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.learn.td import Lesson, best_move, sampled
from zermelo.game.protocol import CHANCE
TRUTH=""
class Pubeval(Part):
    def __init__(self, contact, race):
        self.contact=contact; self.race=race
    def judge(self, s, p, race):
        """the position after p's own move"""
        w = self.race if race else self.contact
        low,high,ol,oh = s.low[p],s.high[p],s.low[1-p],s.high[1-p]
        if count_at(low,high,OFF)==15: return 1e9
        total=0.0
        for j in range(1,25):
            place=25-j
            n=count_at(low,high,place)-count_at(ol,oh,25-place)
            b=5*(j-1)
            if n==-1: total+=w[b]
            if n==1: total+=w[b+1]
            if n>=2: total+=w[b+2]
            if n==3: total+=w[b+3]
            if n>=4: total+=w[b+4]*(n-3)/2
        total+=w[120]*count_at(ol,oh,BAR)/2
        total+=w[121]*count_at(low,high,OFF)/15
        return total
def back(low,high):
    for place in range(25,0,-1):
        if count_at(low,high,place)>0: return place
    return 0
def pubeval_move(game, pub, lesson, s):
    p=s.mover
    race = back(s.low[0],s.high[0])+back(s.low[1],s.high[1])<25
    n=game.list_actions(s,lesson.moves); best=-1e18; ch=0
    for i in range(n):
        v=pub.judge(game.result(s,lesson.moves[i]),p,race)
        if v>best: best=v; ch=lesson.moves[i]
    return ch
def match(game, s, network, lesson, pub, random, games, results):
    start=s
    for g in range(games):
        s=start
        while not game.is_terminal(s):
            if game.to_move(s)==CHANCE: s=game.result(s,sampled(game,s,random))
            elif s.mover==g&1: s=game.result(s,best_move(game,network,lesson,s))
            else: s=game.result(s,pubeval_move(game,pub,lesson,s))
        results[g]=game.utility(s,g&1)
    return games
MATCH=Routine(match)
def score(net, games=10000, seed=1):
    def load(n): return np.array(open(TRUTH%n).read().split(),float)
    g=Backgammon(); res=np.zeros(games)
    MATCH.compiled(g,net,Lesson(net),Pubeval(load("contact"),load("race")),Random(seed),games,res)(g.initial())
    return res.mean(), res.std()/math.sqrt(games)
