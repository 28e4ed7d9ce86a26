// Backgammon on a GPU: moves, features and outputs, one thread per position and roll, or per result of a move.
// The functions mirror games/backgammon/checkers.py, moves.py and features.py; `train.py --check` compares them.
// A position is four words: the counts of the side about to roll (low, high), then those of the other side.
// Without GPU defined, the same kernels are loops on the CPU.
typedef unsigned long long u64;
#ifdef GPU
#include <cuda_fp16.h>
#define FN __device__ inline
#define KERNEL extern "C" __global__ void
#define THREAD(n) long long i = blockIdx.x*(long long)blockDim.x+threadIdx.x; if (i>=(n)) return;
#define DONE
typedef __half half_t;
#define TOF(x) __half2float(x)
#define TOH(x) __float2half(x)
FN int pop(u64 x){return __popcll(x);} FN int lo_bit(u64 x){return __ffsll((long long)x)-1;} FN int hi_bit(u64 x){return 63-__clzll((long long)x);}
#else
#include <math.h>
#define FN static inline
#define KERNEL extern "C" void
#define THREAD(n) for (long long i=0;i<(n);i++){
#define DONE }
typedef float half_t;
#define TOF(x) (x)
#define TOH(x) (x)
FN int pop(u64 x){return __builtin_popcountll(x);} FN int lo_bit(u64 x){return __builtin_ctzll(x);} FN int hi_bit(u64 x){return x?63-__builtin_clzll(x):-1;}
#endif
#define POINTS ((1ull<<25)-2)
#define ONES 0x1111111111111111ull
#define ROW 256
#define SIDE 122
struct P { u64 l,h,ol,oh; };
FN int cnt(u64 l,u64 h,int p){ return (int)((p<16?l>>(4*p):h>>(4*p-64))&15); }
FN u64 gath(u64 o){ o=(o|o>>3)&0x0303030303030303ull; o=(o|o>>6)&0x000F000F000F000Full; o=(o|o>>12)&0x000000FF000000FFull; return (o|o>>24)&0xFFFF; }
FN u64 occ(u64 l,u64 h){ l=(l|l>>1|l>>2|l>>3)&ONES; h=(h|h>>1|h>>2|h>>3)&ONES; return (gath(l)|gath(h)<<16)&~1ull; }
FN u64 turned(u64 x){ x=(x&0x55555555)<<1|(x>>1&0x55555555); x=(x&0x33333333)<<2|(x>>2&0x33333333); x=(x&0x0F0F0F0F)<<4|(x>>4&0x0F0F0F0F); x=(x&0x00FF00FF)<<8|(x>>8&0x00FF00FF); x=(x&0xFFFF)<<16|(x>>16&0xFFFF); return x>>6; }
FN u64 open_pts(u64 ol,u64 oh){ u64 a=(ol>>1|ol>>2|ol>>3)&ONES,b=(oh>>1|oh>>2|oh>>3)&ONES; return ~turned(gath(a)|gath(b)<<16)&POINTS; }
FN u64 origins(u64 places,u64 free_,int die){
  if(places>>25) places=1ull<<25;
  u64 f=places&free_<<die;
  if(!(places>>7)){ f|=places&1ull<<die; if(!(places>>die)) f|=places&~(places>>1|places>>2|places>>3|places>>4|places>>5); }
  return f; }
FN void moved(u64&l,u64&h,int o,int t){ if(o<16) l-=1ull<<(4*o); else h-=1ull<<(4*o-64); if(t<16) l+=1ull<<(4*t); else h+=1ull<<(4*t-64); }
FN P step(P p,int o,int die){ int t=o-die; if(t<0)t=0; moved(p.l,p.h,o,t); if(t>0&&cnt(p.ol,p.oh,25-t)==1) moved(p.ol,p.oh,25-t,25); return p; }
struct Sink { u64* out; int n; };
FN void emit(Sink&s,P p){ if(s.out){ u64*o=s.out+4ll*s.n; o[0]=p.ol;o[1]=p.oh;o[2]=p.l;o[3]=p.h; } s.n++; }
FN bool may(P p,u64 free_,int first,int die,int second,int other){
  if(!(origins(occ(p.l,p.h),free_,die)>>first&1)) return false; u64 a=p.l,b=p.h; int t=first-die; moved(a,b,first,t<0?0:t); return origins(occ(a,b),free_,other)>>second&1; }
FN bool may_set(P p,u64 free_,int L,int S,int x,int y){ return may(p,free_,x,L,y,S)||may(p,free_,y,S,x,L); }
FN bool repeated(P p,u64 free_,int L,int S,int x,int y){
  if(x==y-S&&y>L) return cnt(p.ol,p.oh,25-x)!=1&&cnt(p.ol,p.oh,25-y+L)!=1&&may_set(p,free_,L,S,y,y-L);
  if(x<y&&y<=S) return may_set(p,free_,L,S,y,x);
  return false; }
FN void singles(P p,int L,int S,Sink&sink){
  u64 free_=open_pts(p.ol,p.oh),places=occ(p.l,p.h),bl=origins(places,free_,L),bs=origins(places,free_,S); bool found=false;
  for(u64 q=bl;q;q&=q-1){ int x=lo_bit(q); P a=step(p,x,L);
    for(u64 r=origins(occ(a.l,a.h),free_,S);r;r&=r-1){ int y=lo_bit(r); found=true; if(!repeated(p,free_,L,S,x,y)) emit(sink,step(a,y,S)); } }
  for(u64 q=bs;q;q&=q-1){ int y=lo_bit(q); P a=step(p,y,S);
    for(u64 r=origins(occ(a.l,a.h),free_,L)&~bl;r;r&=r-1){ int x=lo_bit(r); found=true; if(!repeated(p,free_,L,S,x,y)) emit(sink,step(a,x,L)); } }
  if(!found&&bl){ for(u64 q=bl;q;q&=q-1) emit(sink,step(p,lo_bit(q),L)); }
  else if(!found&&bs){ for(u64 q=bs;q;q&=q-1) emit(sink,step(p,lo_bit(q),S)); }
  else if(!found) emit(sink,p); }
FN u64 nexto(P p,u64 free_,int die,int last){ return origins(occ(p.l,p.h),free_,die)&((2ull<<last)-1); }
FN void doubles(P p,int die,Sink&sink){
  u64 free_=open_pts(p.ol,p.oh); int steps=0,o=25; P q=p;
  while(steps<4&&o>0){ if(origins(occ(q.l,q.h),free_,die)>>o&1){ q=step(q,o,die); steps++; } else o--; }
  if(!steps){ emit(sink,p); return; }
  for(u64 w=nexto(p,free_,die,25);w;w&=w-1){ int i1=lo_bit(w); P a=step(p,i1,die); if(steps==1){emit(sink,a);continue;}
    for(u64 x=nexto(a,free_,die,i1);x;x&=x-1){ int j=lo_bit(x); P b=step(a,j,die); if(steps==2){emit(sink,b);continue;}
      for(u64 y=nexto(b,free_,die,j);y;y&=y-1){ int k=lo_bit(y); P c=step(b,k,die); if(steps==3){emit(sink,c);continue;}
        for(u64 z=nexto(c,free_,die,k);z;z&=z-1) emit(sink,step(c,lo_bit(z),die)); } } } }
FN void dice_of(int r,int&one,int&other){ one=1; while(r>=one){ r-=one; one++; } other=r+1; }
FN int list_moves(const u64*w,int r,u64*out){ P p={w[0],w[1],w[2],w[3]}; int one,other; dice_of(r,one,other); Sink s={out,0}; if(one==other) doubles(p,one,s); else singles(p,one,other,s); return s.n; }

KERNEL k_count(const u64*pos,int*counts,long long n){ THREAD(n*21) counts[i]=list_moves(pos+4*(i/21),(int)(i%21),(u64*)0); DONE }
KERNEL k_write(const u64*pos,const long long*starts,u64*cand,long long n){ THREAD(n*21) list_moves(pos+4*(i/21),(int)(i%21),cand+4*starts[i]); DONE }

// features
FN void put(half_t*x,int number,float a){ x[number]=TOH(a); }
FN int ahead(int place,u64 f){ if(place>=13) return (int)(f>>(place-12)&0xFFF); return (int)((f<<(12-place)|((1ull<<(13-place))-1))&0xFFF); }
FN void checkers(u64 l,u64 h,int first,half_t*x){
  int total=0,sq=0;
  for(u64 q=occ(l,h);q;q&=q-1){ int p=lo_bit(q),c=cnt(l,h,p); total+=p*c; sq+=p*p*c; int m=first+4*p-4;
    if(p==25){ put(x,m,.5f*c); continue; }
    for(int u=0;u<c&&u<3;u++) put(x,m+u,1.f);
    if(c>3) put(x,m+3,.5f*(c-3)); }
  int off=cnt(l,h,0);
  for(int f=0;f<3;f++) if(off>5*f) put(x,first+97+f,.2f*(off-5*f<5?off-5*f:5));
  put(x,first+100,.01f*total); int v=15*sq-total*total; put(x,first+101,sqrtf((float)(v>0?v:0))/150.f); }
FN void hits(u64 l,u64 h,u64 sh,u64 blots,u64 free_,int&rolls,int&dbl,int&lost){
  rolls=dbl=lost=0; if(!blots) return;
  int bar=cnt(l,h,25); if(bar>0) sh&=1ull<<25;
  u64 field=occ(l,h)&POINTS;
  for(int one=1;one<7;one++){ u64 after=sh>>one;
    for(int other=1;other<=one;other++){ u64 then=sh>>other,hit;
      if(one==other){ u64 s2=(after&free_)>>one,s3=(s2&free_)>>one; hit=after|s2|s3|(s3&free_)>>one;
        if(bar==1&&(after&free_)){ s2=field>>one; hit|=s2|(s2&free_)>>one; } }
      else { hit=after|then|(after&free_)>>other|(then&free_)>>one;
        if(bar==1){ if(after&free_) hit|=field>>other; if(then&free_) hit|=field>>one; } }
      hit&=blots;
      if(hit){ int w=one==other?1:2; rolls+=w; lost+=w*hi_bit(hit); if(hit&(hit-1)) dbl+=w; } } } }
FN void counted(u64 l,u64 h,u64 ol,u64 oh,const float*esc,int first,half_t*x){
  u64 free_=open_pts(ol,oh),ofree=open_pts(l,h),places=occ(l,h),others=occ(ol,oh),closed=~turned(ofree)&POINTS;
  int front=25-hi_bit(others),rear=hi_bit(places),behind=0,dist=0,timing=0; float way=0;
  for(u64 q=places;q;q&=q-1){ int p=lo_bit(q),c=cnt(l,h,p);
    if(p>front){ behind+=c; dist+=c*(p-front); }
    if(p>6) way+=c*(p-6)*esc[ahead(p,free_)];
    if(p<=18) timing+=p>6?c*(p-6):(c>2?(c-2)*p:0); }
  float contained=1.f;
  for(int p=front>7?front:7;p<=rear;p++) if(free_>>p&1){ float e=esc[ahead(p,free_)]; if(e<contained) contained=e; }
  int rolls,dbl,lost; hits(ol,oh,others,turned(places&POINTS&~closed),ofree,rolls,dbl,lost);
  int shut=6-pop(free_>>19&63),bar=cnt(l,h,25); float*none=0; (void)none;
  put(x,first+102,behind/15.f); put(x,first+103,dist*.01f); put(x,first+104,rolls/36.f); put(x,first+105,dbl/36.f); put(x,first+106,lost/360.f);
  put(x,first+107,esc[ahead(rear,free_)]); put(x,first+108,contained); put(x,first+109,way*.01f); put(x,first+110,shut*shut/36.f);
  put(x,first+111,bar>0?shut*shut/36.f:0.f); put(x,first+112,bar>1?1.f-(6-shut)*(6-shut)/36.f:0.f); put(x,first+113,timing*.01f);
  u64 row=closed&~((2ull<<front)-1); int len=0; while(row){ row&=row>>1; len++; }
  if(len>=3) put(x,first+114+(len<6?len:6)-3,1.f);
  u64 anchors=closed>>13;
  if(anchors){ put(x,first+118,(12-lo_bit(anchors))/12.f); put(x,first+119,(12-hi_bit(anchors))/12.f); }
  int deep=pop(closed>>19);
  if(deep>0){ int men=0; for(int p=19;p<26;p++) men+=cnt(l,h,p); put(x,first+(deep>1?120:121),men/15.f); } }
FN int phase(const u64*w){
  if((w[2]&15)==15||(w[0]&15)==15) return 3;
  if(hi_bit(occ(w[0],w[1]))+hi_bit(occ(w[2],w[3]))<=25) return 2;
  for(int p=0;p<2;p++){ u64 l=w[2*p]; if(15-(int)(l&15)-(int)(l>>4&15)-(int)(l>>8&15)<7) return 1; }
  return 0; }
KERNEL k_features(const u64*pos,half_t*X,signed char*ph,const float*esc,long long n){ THREAD(n)
  const u64*w=pos+4*i; half_t*x=X+ROW*i; int f=phase(w); ph[i]=(signed char)f; x[244]=TOH(1.f);
  if(f!=3){ checkers(w[0],w[1],0,x); checkers(w[2],w[3],SIDE,x);
    if(f!=2){ counted(w[0],w[1],w[2],w[3],esc,0,x); counted(w[2],w[3],w[0],w[1],esc,SIDE,x); } }
  DONE }
// S: sums of 3 * U units; out: five outputs of the side whose words come first
KERNEL k_outputs(const half_t*S,const signed char*ph,const u64*pos,const float*last,const float*bias,float*out,float*eq,int U,long long n){ THREAD(n)
  int f=ph[i]; float o[5];
  if(f==3){ const u64*w=pos+4*i; // the side that comes second has borne off
    o[0]=o[1]=o[2]=0; o[3]=(w[0]&15)?0.f:1.f; o[4]=o[3]>0&&(w[1]>>(4*19-64))?1.f:0.f; }
  else { const half_t*s=S+3ll*U*i+f*U; const float*wt=last+5*U*f; float a=0,b=0,c=0,d=0,e=0;
    for(int j=0;j<U;j++){ float x=TOF(s[j]); x=x>4?4:x<-4?-4:x; float h=.5f+.25f*x*(1-.125f*fabsf(x));
      a+=wt[j]*h; b+=wt[U+j]*h; c+=wt[2*U+j]*h; d+=wt[3*U+j]*h; e+=wt[4*U+j]*h; }
    o[0]=1/(1+expf(-a-bias[5*f])); o[1]=1/(1+expf(-b-bias[5*f+1])); o[2]=1/(1+expf(-c-bias[5*f+2])); o[3]=1/(1+expf(-d-bias[5*f+3])); o[4]=1/(1+expf(-e-bias[5*f+4])); }
  for(int k=0;k<5;k++) out[5*i+k]=o[k];
  eq[i]=2*o[0]-1+o[1]+o[2]-o[3]-o[4]; DONE }
KERNEL k_best(const float*eq,const long long*starts,int*best,long long n){ THREAD(n*21)
  long long at=starts[i]; for(long long j=at+1;j<starts[i+1];j++) if(eq[j]<eq[at]) at=j; best[i]=(int)at; DONE }
FN u64 rnd(u64&s){ s+=0x9E3779B97F4A7C15ull; u64 z=s; z=(z^(z>>30))*0xBF58476D1CE4E5B9ull; z=(z^(z>>27))*0x94D049BB133111EBull; return z^(z>>31); }
FN float uni(u64&s){ return (float)(rnd(s)>>40)*(1.f/16777216.f); }
KERNEL k_next(u64*pos,float*v0,float*v1,signed char*stop,u64*seeds,const u64*cand,const float*out,const float*eq,const long long*starts,const int*best,float explore,u64 sl,u64 sh,long long n){ THREAD(n)
  u64 s=seeds[i]; float sum[5]={0,0,0,0,0};
  for(int r=0;r<21;r++){ int one,other; dice_of(r,one,other); float w=one==other?1/36.f:1/18.f; const float*o=out+5ll*best[21*i+r];
    sum[0]+=w*(1-o[0]); sum[1]+=w*o[3]; sum[2]+=w*o[4]; sum[3]+=w*o[1]; sum[4]+=w*o[2]; }
  for(int k=0;k<5;k++) v1[5*i+k]=sum[k];
  int a=1+(int)(uni(s)*6),b=1+(int)(uni(s)*6); if(a<b){int t=a;a=b;b=t;} int r=a*(a-1)/2+b-1;
  float u=uni(s),noise=u<explore?(u<.2f*explore?.5f:.1f):0.f; long long c=best[21*i+r];
  if(noise>0){ float low=1e9f; for(long long j=starts[21*i+r];j<starts[21*i+r+1];j++){ float v=eq[j]+noise*uni(s); if(v<low){low=v;c=j;} } }
  int end=(cand[4*c+2]&15)==15;
  stop[i]=(signed char)(end||c!=best[21*i+r]);
  if(end){ pos[4*i]=sl;pos[4*i+1]=sh;pos[4*i+2]=sl;pos[4*i+3]=sh; }
  else for(int k=0;k<4;k++) pos[4*i+k]=cand[4*c+k];
  for(int k=0;k<5;k++) v0[5*i+k]=out[5*c+k];
  seeds[i]=s; DONE }
