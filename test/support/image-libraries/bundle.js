/*
 * The code by which unpic 4.2.2 (imgix provider), @nuxt/image 2.1.0 (createImage and its imgix provider, with ufo 1.6.4 and defu 6.1.7) and
 * next 16.4.6 (getImgProps of next/image) make URLs. Taken unchanged from the packages and bundled by esbuild, because next alone has 200 MB.
 * All are under the MIT License: Copyright Matt Kane (unpic); Copyright Nuxt Project (@nuxt/image); Copyright Pooya Parsa, UnJS (ufo, defu);
 * Copyright Vercel, Inc. (next). Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
 * documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
 * modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished
 * to do so, subject to the following conditions: The above copyright notice and this permission notice shall be included in all copies or
 * substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
 * LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
var Fe=Object.create;var oe=Object.defineProperty;var Be=Object.getOwnPropertyDescriptor;var Ge=Object.getOwnPropertyNames;var Ve=Object.getPrototypeOf,He=Object.prototype.hasOwnProperty;var Qe=(e,t,r)=>()=>{if(r)throw r[0];try{return e&&(t=e(e=0)),t}catch(n){throw r=[n],n}};var C=(e,t)=>()=>{try{return t||e((t={exports:{}}).exports,t),t.exports}catch(r){throw t=0,r}};var Xe=(e,t,r,n)=>{if(t&&typeof t=="object"||typeof t=="function")for(let i of Ge(t))!He.call(e,i)&&i!==r&&oe(e,i,{get:()=>t[i],enumerable:!(n=Be(t,i))||
n.enumerable});return e};var ie=(e,t,r)=>(r=e!=null?Fe(Ve(e)):{},Xe(t||!e||!e.__esModule?oe(r,"default",{value:e,enumerable:!0}):r,e));var d=Qe(()=>{});var _e=C(V=>{"use strict";d();Object.defineProperty(V,"__esModule",{value:!0});function _t(e,t){for(var r in t)Object.defineProperty(e,r,{enumerable:!0,
get:t[r]})}_t(V,{getAssetToken:function(){return Ot},getAssetTokenQuery:function(){return At},getDeploymentId:function(){return Re},getDeploymentIdQuery:function(){
return Pt}});var G;typeof window<"u"?(G=document.documentElement.dataset.dplId,document.documentElement.removeAttribute("data-dpl-id")):G=void 0;function Re(){
return G}function Pt(e=!1){let t=Re();return t?`${e?"&":"?"}dpl=${t}`:""}function Ot(){}function At(e=!1){let t=void 0;return t?`${e?"&":"?"}dpl=${t}`:
""}});var Pe=C(H=>{"use strict";d();Object.defineProperty(H,"__esModule",{value:!0});Object.defineProperty(H,"getImageBlurSvg",{enumerable:!0,get:function(){
return Lt}});function Lt({widthInt:e,heightInt:t,blurWidth:r,blurHeight:n,blurDataURL:i,objectFit:o}){let a=r?r*40:e,h=n?n*40:t,l=a&&h?`viewBox='0 0 ${a}\
 ${h}'`:"";return`%3Csvg xmlns='http://www.w3.org/2000/svg' ${l}%3E%3Cfilter id='b' color-interpolation-filters='sRGB'%3E%3CfeGaussianBlur stdDeviatio\
n='20'/%3E%3CfeColorMatrix values='1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 100 -1' result='s'/%3E%3CfeFlood x='0' y='0' width='100%25' height='100%25'/%3E\
%3CfeComposite operator='out' in='s'/%3E%3CfeComposite in2='SourceGraphic'/%3E%3CfeGaussianBlur stdDeviation='20'/%3E%3C/filter%3E%3Cimage width='100%\
25' height='100%25' x='0' y='0' preserveAspectRatio='${l?"none":o==="contain"?"xMidYMid":o==="cover"?"xMidYMid slice":"none"}' style='filter: url(%23b\
);' href='${i}'/%3E%3C/svg%3E`}});var Le=C(X=>{"use strict";d();Object.defineProperty(X,"__esModule",{value:!0});Object.defineProperty(X,"getImgProps",{enumerable:!0,get:function(){return Mt}});
var Oe=_e(),Ct=Pe(),$t=["-moz-initial","fill","none","scale-down",void 0];function Ae(e){return e.default!==void 0}function jt(e){return e.src!==void 0}
function Nt(e){return!!e&&typeof e=="object"&&(Ae(e)||jt(e))}function Q(e){return typeof e>"u"?e:typeof e=="number"?Number.isFinite(e)?e:NaN:typeof e==
"string"&&/^[0-9]+$/.test(e)?parseInt(e,10):NaN}function kt({deviceSizes:e,allSizes:t},r,n){if(n){let o=/(^|\s)(1?\d?\d)vw/g,s=[];for(let a;a=o.exec(n);a)
s.push(parseInt(a[2]));if(s.length){let a=Math.min(...s)*.01;return{widths:t.filter(h=>h>=e[0]*a),kind:"w"}}return{widths:t,kind:"w"}}return typeof r!=
"number"?{widths:e,kind:"w"}:{widths:[...new Set([r,r*2].map(o=>t.find(s=>s>=o)||t[t.length-1]))],kind:"x"}}function Dt({config:e,src:t,unoptimized:r,
width:n,quality:i,sizes:o,loader:s}){if(r){if(t.startsWith("/")&&!t.startsWith("//")){let c=(0,Oe.getDeploymentId)();if(t.includes("/_next/static/immu\
table")&&!(0,Oe.getAssetToken)())c=void 0;else if(c){let u=t.indexOf("?");if(u!==-1){let p=new URLSearchParams(t.slice(u+1));p.get("dpl")||(p.append("\
dpl",c),t=t.slice(0,u)+"?"+p.toString())}else t=t+`?dpl=${c}`}}return{src:t,srcSet:void 0,sizes:void 0}}let{widths:a,kind:h}=kt(e,n,o),l=a.length-1;return{
sizes:!o&&h==="w"?"100vw":o,srcSet:a.map((c,u)=>`${s({config:e,src:t,quality:i,width:c})} ${h==="w"?c:u+1}${h}`).join(", "),src:s({config:e,src:t,quality:i,
width:a[l]})}}function Mt({src:e,sizes:t,unoptimized:r=!1,priority:n=!1,preload:i=!1,loading:o,className:s,quality:a,width:h,height:l,fill:c=!1,style:u,
overrideSrc:p,onLoad:M,onLoadingComplete:U,placeholder:E="empty",blurDataURL:_,fetchPriority:m,decoding:y="async",layout:b,objectFit:ke,objectPosition:De,
lazyBoundary:Ft,lazyRoot:Bt,...O},Me){let{imgConf:A,showAltText:Ue,blurComplete:We,defaultLoader:J}=Me;if(typeof J>"u")throw new Error(`images.loaderF\
ile detected but the file is missing default export.
Read more: https://nextjs.org/docs/messages/invalid-images-config`);let L=O.loader||J;delete O.loader,delete O.srcSet;let Y="__next_img_default"in L;if(Y){
if(A.loader==="custom")throw new Error(`Image with src "${e}" is missing "loader" prop.
Read more: https://nextjs.org/docs/messages/next-image-missing-loader`)}else{let f=L;L=g=>{let{config:v,...R}=g;return f(R)}}if(b){b==="fill"&&(c=!0);
let f={intrinsic:{maxWidth:"100%",height:"auto"},responsive:{width:"100%",height:"auto"}},g={responsive:"100vw",fill:"100vw"},v=f[b];v&&(u={...u,...v});
let R=g[b];R&&!t&&(t=R)}let Z="",I=Q(h),x=Q(l),ee,te;if(Nt(e)){let f=Ae(e)?e.default:e;if(!f.src)throw new Error(`An object should only be passed to t\
he image component src parameter if it comes from a static image import. It must include src. Received ${JSON.stringify(f)}`);if(!f.height||!f.width)throw new Error(
`An object should only be passed to the image component src parameter if it comes from a static image import. It must include height and width. Receiv\
ed ${JSON.stringify(f)}`);if(ee=f.blurWidth,te=f.blurHeight,_=_||f.blurDataURL,Z=f.src,!c){if(!I&&!x)I=f.width,x=f.height;else if(I&&!x){let g=I/f.width;
x=Math.round(f.height*g)}else if(!I&&x){let g=x/f.height;I=Math.round(f.width*g)}}}e=typeof e=="string"?e:Z;let re=!n&&!i&&(o==="lazy"||typeof o>"u");
(!e||e.startsWith("data:")||e.startsWith("blob:"))&&(r=!0,re=!1),A.unoptimized&&(r=!0),Y&&!A.dangerouslyAllowSVG&&e.split("?",1)[0].endsWith(".svg")&&
(r=!0);let Te=Q(a),S=Object.assign(c?{position:"absolute",height:"100%",width:"100%",left:0,top:0,right:0,bottom:0,objectFit:ke,objectPosition:De}:{},
Ue?{}:{color:"transparent"},u),ne=!We&&E!=="empty"?E==="blur"?`url("data:image/svg+xml;charset=utf-8,${(0,Ct.getImageBlurSvg)({widthInt:I,heightInt:x,
blurWidth:ee,blurHeight:te,blurDataURL:_||"",objectFit:S.objectFit})}")`:`url("${E}")`:null,ze=$t.includes(S.objectFit)?S.objectFit==="fill"?"100% 100\
%":"cover":S.objectFit,qe=ne?{backgroundSize:ze,backgroundPosition:S.objectPosition||"50% 50%",backgroundRepeat:"no-repeat",backgroundImage:ne}:{},W=Dt(
{config:A,src:e,unoptimized:r,width:I,quality:Te,sizes:t,loader:L});return{props:{...O,loading:re?"lazy":o,fetchPriority:m,width:I,height:x,decoding:y,
className:s,style:{...S,...qe},sizes:W.sizes,srcSet:W.srcSet,src:p||W.src},meta:{unoptimized:r,preload:i||n,placeholder:E,fill:c}}}});var Ne=C(K=>{"use strict";d();Object.defineProperty(K,"__esModule",{value:!0});function Ut(e,t){for(var r in t)Object.defineProperty(e,r,{enumerable:!0,
get:t[r]})}Ut(K,{VALID_LOADERS:function(){return Wt},imageConfigDefault:function(){return je},prepareImageConfig:function(){return Tt}});var Wt=["defa\
ult","imgix","cloudinary","akamai","custom"],Ce={},$e=new WeakMap;function Tt(e,t){let r=e??Ce,n=t??Ce,i=$e.get(r);if(i){let l=i.get(n);if(l)return l}
let o=e||t||je,s=[...o.deviceSizes].sort((l,c)=>l-c),a=[...o.imageSizes],h={deviceSizes:s,imageSizes:a,allSizes:[...s,...a].sort((l,c)=>l-c),qualities:o.
qualities===void 0?void 0:[...o.qualities].sort((l,c)=>l-c),path:o.path,loader:o.loader,dangerouslyAllowSVG:o.dangerouslyAllowSVG,unoptimized:o.unoptimized,
domains:o.domains,remotePatterns:o.remotePatterns,localPatterns:typeof window>"u"&&t!==void 0?t.localPatterns:o.localPatterns,output:o.output};return i||
(i=new WeakMap,$e.set(r,i)),i.set(n,h),h}var je={deviceSizes:[640,750,828,1080,1200,1920,2048,3840],imageSizes:[32,48,64,96,128,256,384],path:"/_next/\
image",loader:"default",loaderFile:"",domains:[],disableStaticImages:!1,minimumCacheTTL:14400,formats:["image/webp"],maximumDiskCacheSize:void 0,maximumRedirects:3,
maximumResponseBody:5e7,dangerouslyAllowLocalIP:!1,dangerouslyAllowSVG:!1,contentSecurityPolicy:"script-src 'none'; frame-src 'none'; sandbox;",contentDispositionType:"\
attachment",localPatterns:void 0,remotePatterns:[],qualities:[75],unoptimized:!1,customCacheHandler:!1}});d();d();d();function $(e){if(!e)return e;let t=Number(e);return isNaN(t)?e:Math.round(t)}var Ke=e=>{let{pathname:t,search:r}=e;return`${t}${r}`},T=e=>e.hostname===
"n"?Ke(e):e.toString(),j=(e,t)=>typeof e=="string"?new URL(e,t??"http://n/"):e,se=e=>e===" "?"+":"%"+e.charCodeAt(0).toString(16).toUpperCase().padStart(
2,"0");var Je=(e,t)=>{let r=se(e),n=se(t);function i(s){return encodeURIComponent(s).replaceAll(e,r).replaceAll(t,n)}function o(s,a){return`${i(s)}${e}${i(String(
a))}`}return s=>(Array.isArray(s)?s:Object.entries(s)).flatMap(([h,l])=>l==null?[]:Array.isArray(l)?l.map(c=>o(h,c)):o(h,l)).join(t)},Ye=(e,t)=>e==="="&&
t==="&"?et:r=>{let n=r.toString();return Object.fromEntries(n.split(t).map(i=>{let[o,s]=i.split(e);return[decodeURI(o),decodeURI(s)]}))};function ce({keyMap:e={},formatMap:t={},defaults:r={}},n){n.format&&n.format in t&&(n.format=t[n.format]),n.width&&(n.width=$(n.width)),n.height&&(n.height=
$(n.height));for(let i in e){if(!Object.prototype.hasOwnProperty.call(e,i))continue;let o=i;if(e[o]===!1){delete n[o];continue}e[o]&&n[o]&&(n[e[o]]=n[o],
delete n[o])}for(let i in r){if(!Object.prototype.hasOwnProperty.call(r,i))continue;let o=i,s=r[o];if(!n[o]&&s!==void 0){if(e[o]===!1)continue;let a=e[o]??
o;if(a in n)continue;n[a]=s}}return n}var ae=e=>Object.fromEntries(Object.entries(e).map(([t,r])=>[r,t]));function Ze({keyMap:e={},formatMap:t={},defaults:r={}},n){
let i=ae(e),o=ae(t),s=ce({keyMap:i,formatMap:o,defaults:r},n);s.width&&(s.width=$(s.width)),s.height&&(s.height=$(s.height));let a=Number(s.quality);return isNaN(
a)||(s.quality=a),s}var et=e=>{let t=j(e);return Object.fromEntries(t.searchParams.entries())};function tt({kvSeparator:e="=",paramSeparator:t="&",...r}={}){
let n=Je(e,t);return i=>{let o=ce(r,i);return n(o)}}function rt({kvSeparator:e="=",paramSeparator:t="&",defaults:r,...n}={}){let i=Ye(e,t);return o=>{
let s=o?i(o):{};return Ze(n,s)}}function le(e){let t=tt(e),r=rt(e);return{operationsGenerator:t,operationsParser:r}}var nt=e=>Object.fromEntries(Object.entries(e).filter(([,t])=>t!==void 0));function de(e,t){return((r,n,i)=>{let o=e(r,i);return o?t(o.src,{...o.operations,
...nt(n)},{...o.options,...i}):t(r,n,i)})}var{operationsGenerator:ot,operationsParser:it}=le({keyMap:{format:"fm",width:"w",height:"h",quality:"q"},defaults:{fit:"min",auto:"format"}}),st=e=>{
let t=j(e),r=it(e);return t.search="",{src:T(t),operations:r}},he=(e,t)=>{let r=ot(t),n=j(e);return n.search=r,n.searchParams.has("fm")&&n.searchParams.
get("auto")==="format"&&n.searchParams.delete("auto"),T(n)},tr=de(st,he);d();d();function z(e){if(e===null||typeof e!="object")return!1;let t=Object.getPrototypeOf(e);return t!==null&&t!==Object.prototype&&Object.getPrototypeOf(
t)!==null||Symbol.iterator in e?!1:Symbol.toStringTag in e?Object.prototype.toString.call(e)==="[object Module]":!0}function q(e,t,r=".",n){if(!z(t))return q(
e,{},r,n);let i={...t};for(let o of Object.keys(e)){if(o==="__proto__"||o==="constructor")continue;let s=e[o];s!=null&&(n&&n(i,o,s,r)||(Array.isArray(
s)&&Array.isArray(i[o])?i[o]=[...s,...i[o]]:z(s)&&z(i[o])?i[o]=q(s,i[o],(r?`${r}.`:"")+o.toString(),n):i[o]=s))}return i}function F(e){return(...t)=>t.
reduce((r,n)=>q(r,n,"",e),{})}var N=F(),or=F((e,t,r)=>{if(e[t]!==void 0&&typeof r=="function")return e[t]=r(e[t]),!0}),ir=F((e,t,r)=>{if(Array.isArray(
e[t])&&typeof r=="function")return e[t]=r(e[t]),!0});d();var cr=String.fromCharCode;var at=/^[\s\w\0+.-]{2,}:([/\\]{1,2})/,ct=/^[\s\w\0+.-]{2,}:([/\\]{2})?/,lt=/^([/\\]\s*){2,}[^/\\]/;var dt=/\/$|\/\?|\/#/,ht=/^\.?\//;function k(e,t={}){return typeof t=="boolean"&&(t={acceptRelative:t}),t.strict?at.test(e):ct.test(e)||(t.acceptRelative?lt.test(e):!1)}function ut(e="",t){return t?dt.test(e):e.endsWith("/")}function ft(e="",t){if(!t)return e.endsWith("/")?e:e+"/";if(ut(e,!0))return e||"/";let r=e,n="",i=e.indexOf("#");if(i!==-1&&(r=e.slice(0,i),n=e.slice(
i),!r))return n;let[o,...s]=r.split("?");return o+"/"+(s.length>0?`?${s.join("?")}`:"")+n}function pt(e=""){return e.startsWith("/")}function fe(e=""){return pt(e)?e:"/"+e}function mt(e){return e&&e!=="/"}function D(e,...t){let r=e||"";for(let n of t.filter(i=>mt(i)))if(r){let i=n.replace(ht,"");r=ft(r)+i}else r=n;return r}var gt=Symbol.for("ufo:protocolRelative");function B(e="",t){let r=e.match(/^[\s\0]*(blob:|data:|javascript:|vbscript:)(.*)/i);if(r){let[,u,p=""]=r;return{
protocol:u.toLowerCase(),pathname:p,href:u+p,auth:"",host:"",search:"",hash:""}}if(!k(e,{acceptRelative:!0}))return t?B(t+e):ue(e);let[,n="",i,o=""]=e.
replace(/\\/g,"/").match(/^[\s\0]*([\w+.-]{2,}:)?\/\/([^/@]+@)?(.*)/)||[],[,s="",a=""]=o.match(/([^#/?]*)(.*)?/)||[];n==="file:"&&(a=a.replace(/\/(?=[A-Za-z]:)/,
""));let{pathname:h,search:l,hash:c}=ue(a);return{protocol:n.toLowerCase(),auth:i?i.slice(0,Math.max(0,i.length-1)):"",host:s,pathname:h,search:l,hash:c,
[gt]:!n}}function ue(e=""){let[t="",r="",n=""]=(e.match(/([^#?]*)(\?[^#]*)?(#.*)?/)||[]).splice(1);return{pathname:t,search:r,hash:n}}d();async function pe(e,t){return await wt(t).catch(n=>(console.error("Failed to get image meta for "+t,n+""),{width:0,height:0,ratio:0}))}async function wt(e){
if(typeof Image>"u")throw new TypeError("Image not supported");return new Promise((t,r)=>{let n=new Image;n.onload=()=>{let i={width:n.width,height:n.
height,ratio:n.width/n.height};t(i)},n.onerror=i=>r(i),n.src=e})}d();function me(e){return(t=>t!==void 0?e[t]||t:e.missingValue)}function ge(e={}){let t=e.formatter,r=e.keyMap&&typeof e.keyMap!="function"?me(e.keyMap):
e.keyMap,n={};for(let i in e.valueMap){let o=i,s=e.valueMap[o];n[o]=typeof s=="object"?me(s):s}return i=>{let o=[];for(let s in i){let a=s;if(typeof i[a]>
"u")continue;let h=typeof n[a]=="function"?n[a](i[a]):i[a];o.push([r?r(a):a,h])}return t?o.map(s=>t(...s)).join(e.joinWith??"&"):new URLSearchParams(o).
toString()}}function we(e=""){if(e===void 0||!e.length)return[];let t=new Set;for(let r of e.split(" ")){let n=Number.parseInt(r.replace("x",""));n&&t.
add(n)}return Array.from(t)}function ye(e){if(e.length===0)throw new Error("`densities` must not be empty, configure to `1` to render regular size onl\
y (DPR 1.0)")}function P(e=""){if(typeof e=="number")return e;if(typeof e=="string"&&e.replace("px","").match(/^\d+$/g))return Number.parseInt(e,10)}function be(e){
let t={};if(typeof e=="string")for(let r of e.split(/[\s,]+/).filter(n=>n)){let n=r.split(":");n.length!==2?t["1px"]=n[0].trim():t[n[0].trim()]=n[1].trim()}else
Object.assign(t,e);return t}function yt(e){let t={options:e},r=(i,o={})=>Ee(t,i,o),n=((i,o,s)=>r(i,N({modifiers:o},s)).url);for(let i in e.presets)n[i]=((o,s,a)=>n(o,s,{...e.presets[i],
...a}));return n.options=e,n.getImage=r,n.getMeta=((i,o)=>bt(t,i,o)),n.getSizes=((i,o)=>xt(t,i,o)),t.$img=n,n}async function bt(e,t,r){let n=Ee(e,t,{...r});
return typeof n.getMeta=="function"?await n.getMeta():await pe(e,n.url)}function Ee(e,t,r){if(t&&typeof t!="string")throw new TypeError(`input must be\
 a string (received ${typeof t}: ${JSON.stringify(t)})`);if(!t||t.startsWith("data:"))return{url:t};let{setup:n,defaults:i}=It(e,r.provider||e.options.
provider),o=n(),s=Se(e,r.preset);if(t=k(t)?t:fe(t),!o.supportsAlias){for(let c in e.options.alias)if(t.startsWith(c)){let u=e.options.alias[c];u&&(t=D(
u,t.slice(c.length)))}}if(o.validateDomains&&k(t)){let c=B(t).host;if(!e.options.domains.find(u=>u===c))return{url:t}}let a=N(r,s,i),h={...a,modifiers:{
...a.modifiers,width:a.modifiers?.width?P(a.modifiers.width):void 0,height:a.modifiers?.height?P(a.modifiers.height):void 0}},l=o.getImage(t,h,e);return l.
format||=h.modifiers.format||"",l}function It(e,t){let r=e.options.providers[t];if(!r)throw new Error("Unknown provider: "+t);return r}function Se(e,t){
if(!t)return{};if(!e.options.presets[t])throw new Error("Unknown preset: "+t);return e.options.presets[t]}function xt(e,t,r){let n=Se(e,r.preset),i=N(
r,n),o=P(i.modifiers?.width),s=P(i.modifiers?.height),a=i.sizes?be(i.sizes):{},h=i.densities?.trim(),l=h?we(h):e.options.densities;ye(l);let c=o&&s?s/
o:0,u=[],p=[];if(Object.keys(a).length>=1){for(let m in a){let y=Ie(m,String(a[m]),s,c,e);if(y!==void 0){u.push({size:y.size,screenMaxWidth:y.screenMaxWidth,
media:`(max-width: ${y.screenMaxWidth-1}px)`});for(let b of l)p.push({width:y._cWidth*b,src:xe(e,t,r,y,b)})}}Et(u)}else for(let m of l){let y=Object.keys(
a)[0],b=y?Ie(y,String(a[y]),s,c,e):void 0;b===void 0&&(b={size:"",screenMaxWidth:0,_cWidth:r.modifiers?.width,_cHeight:r.modifiers?.height}),p.push({width:m,
src:xe(e,t,r,b,m)})}St(p);let M=p[p.length-1],U=u.length?u.map(m=>`${m.media?m.media+" ":""}${m.size}`).join(", "):void 0,E=U?"w":"x",_=p.map(m=>`${m.
src} ${m.width}${E}`).join(", ");return{sizes:U,srcset:_,src:M?.src}}function Ie(e,t,r,n,i){let o=i.options.screens&&i.options.screens[e]||Number.parseInt(
e),s=t.endsWith("vw");if(!s&&/^\d+$/.test(t)&&(t=t+"px"),!s&&!t.endsWith("px"))return;let a=Number.parseInt(t);if(!o||!a)return;s&&(a=Math.round(a/100*
o));let h=n?Math.round(a*n):r;return{size:t,screenMaxWidth:o,_cWidth:a,_cHeight:h}}function xe(e,t,r,n,i){return e.$img(t,{...r.modifiers,width:n._cWidth?
n._cWidth*i:void 0,height:n._cHeight?n._cHeight*i:void 0},r)}function Et(e){e.sort((r,n)=>r.screenMaxWidth-n.screenMaxWidth);let t=null;for(let r=e.length-
1;r>=0;r--){let n=e[r];n.media===t&&e.splice(r,1),t=n.media}for(let r=0;r<e.length;r++)e[r].media=e[r+1]?.media||""}function St(e){e.sort((r,n)=>r.width-
n.width);let t=null;for(let r=e.length-1;r>=0;r--){let n=e[r];n.width===t&&e.splice(r,1),t=n.width}}d();d();function ve(e){let t;return()=>t||(t=typeof e=="function"?e():e,t)}var vt=ge({keyMap:{width:"w",height:"h",format:"fm",quality:"q",backgroundColor:"bg",rotate:"rot",mask:"mask",auto:"auto",crop:"crop",brightness:"bri",
contrast:"con",exposure:"exp",gamma:"gam",highlight:"high",hueShift:"hue",invert:"invert",saturation:"sat",shadow:"shad",sharpen:"sharp",unsharpMask:"\
usm",unsharpMaskRadius:"usmrad",vibrance:"vib",blend:"blend",blendAlign:"blend-align",blendAlpha:"blend-alpha",blendColor:"blend-color",blendCrop:"ble\
nd-crop",blendFit:"blend-fit",blendHeight:"blend-h",blendMode:"blend-mode",blendPadding:"blend-pad",blendSize:"blend-size",blendWidth:"blend-w",blendXPosition:"\
blend-x",blendYPosition:"blend-y",padding:"pad",borderBottom:"border-bottom",borderLeft:"border-left",innerBorderRadius:"border-radius-inner",outerBorderRadius:"\
border-radius",borderRight:"border-right",borderTop:"border-top",borderSizeColor:"border",paddingBottom:"pad-bottom",paddingLeft:"pad-left",paddingRight:"\
pad-right",paddingTop:"pad-top",paletteColorCount:"colors",colorPaletteExtraction:"palette",cssPrefix:"prefix",expirationTimestamp:"expires",faceIndex:"\
faceindex",facePadding:"facepad",jsonFaceData:"faces",fillMode:"fill",fillColor:"fill-color",gridColors:"grid-colors",gridSize:"grid-size",transparency:"\
transparency",focalPointDebug:"fp-debug",focalPointXPosition:"fp-x",focalPointYPosition:"fp-y",focalPointZoom:"fp-z",clientHints:"ch",chromaSubsampling:"\
chromasub",colorQuantization:"colorquant",colorSpace:"cs",download:"dl",dotsPerInch:"dpi",losslessCompression:"lossless",maskBackgroundColor:"mask-bg",
maskCornerRadius:"corner-radius",noiseReductionSharp:"nrs",noiseReductionBound:"nr",pdfPageNumber:"page",pdfAnnotation:"pdf-annotation",pixelDensity:"\
dpr",orientation:"orient",flipAxis:"flip",aspectRatio:"ar",maximumHeight:"max-h",maximumWidth:"max-w",minimumHeight:"min-h",minimumWidth:"min-w",sourceRectangleRegion:"\
rect",gaussianBlur:"blur",duotoneAlpha:"duotone-alpha",duotone:"duotone",halftone:"htn",monochrome:"monochrome",pixellate:"px",sepiaTone:"sepia",textAlign:"\
txt-align",textClippingMode:"txt-clip",textColor:"txt-color",textFitMode:"txt-fit",textFont:"txt-font",textLigatures:"txt-lig",textOutlineColor:"txt-l\
ine-color",textOutline:"txt-line",textPadding:"txt-pad",textShadow:"txt-shad",textFontSize:"txt-size",textWidth:"txt-width",textString:"txt",trimColor:"\
trim-color",trimMeanDifference:"trim-md",trimStandardDeviation:"trim-sd",trimTolerance:"trim-tol",trimImage:"trim",textLeading:"txt-lead",textTracking:"\
txt-track",typesettingEndpoint:"~text",watermarkAlignment:"mark-align",watermarkAlpha:"mark-alpha",watermarkBaseURL:"mark-base",watermarkFitMode:"mark\
-fit",watermarkHeight:"mark-h",watermarkPadding:"mark-pad",watermarkRotation:"mark-rot",watermarkScale:"mark-sclae",watermarkTile:"mark-tile",watermarkWidth:"\
mark-w",watermarkXPosition:"mark-x",watermarkYPosition:"mark-y",watermarkImageURL:"mark"},valueMap:{fit:{fill:"scale",inside:"max",outside:"min",cover:"\
crop",contain:"fill",clamp:"clamp",clip:"clip",facearea:"facearea",fillMax:"fillmax"},format:{gif:"gif",jp2:"jp2",jpg:"jpg",json:"json",jxr:"jxr",pjpg:"\
pjpg",mp4:"mp4",png:"png",png8:"png8",png32:"png32",webm:"webm",webp:"webp",blurhash:"blurhash"}}}),Rt=ve({getImage:(e,{modifiers:t,baseURL:r="/"})=>{
let n=vt(t);return{url:D(r,e+(n?"?"+n:""))}}});var zt=ie(Le()),qt=ie(Ne());var export_getNextImgProps=zt.getImgProps;var export_prepareNextImageConfig=qt.prepareImageConfig;export{yt as createNuxtImage,export_getNextImgProps as getNextImgProps,
Rt as nuxtImgix,export_prepareNextImageConfig as prepareNextImageConfig,he as unpicImgix};
