var se=["button","input","select","summary","textarea"];function s(o,e="",t={},...i){let r=document.createElement(o);e!==""&&(r.className=e);for(let[n,l]of Object.
entries(t))r.setAttribute(n,l);return(se.includes(o)||"tabindex"in t)&&(r.dataset.lmSuppressShortcuts="true"),r.append(...i),r}function c(o,e,t){let i=s("button",
"lexsi-button",{type:"button",title:e},o);return i.addEventListener("click",t),i}function F(o,e,t){t.hidden=!0,t.id=t.id||f("lexsi-shown");let i=c(o,e,()=>{t.hidden=
!t.hidden,i.setAttribute("aria-expanded",String(!t.hidden))});return i.setAttribute("aria-expanded","false"),i.setAttribute("aria-controls",t.id),i}function w(o){
let e=s("div","lexsi-html");return e.innerHTML=o,e}var ne=0;function f(o){return`${o}-${Date.now().toString(36)}-${++ne}`}function I(o,e){let t=s("div","lexsi-s\
croll",{tabindex:"0",role:"region","aria-label":o},e),i=()=>{t.classList.toggle("lexsi-more",t.scrollWidth-t.clientWidth-t.scrollLeft>1)};t.addEventListener("sc\
roll",i,{passive:!0});let r=new ResizeObserver(i);return r.observe(t),r.observe(e),t}var O=new WeakMap;function b(o,e){let t=(O.get(o)??0)+e;O.set(o,t),o.classList.
toggle("lexsi-waits",t>0),o.setAttribute("aria-busy",String(t>0))}function y(o){let[e=0,t=0,i=0]=(getComputedStyle(o).color.match(/[\d.]+/g)??[]).map(Number);return .299*
e+.587*t+.114*i>128}var M=class{constructor(e){this.model=e;e.on("msg:custom",this.heard)}model;ask(e,t={}){let i=`${this.name}-${++this.count}`;return new Promise((r,n)=>{this.waiting.
set(i,{resolve:r,reject:n}),this.model.send({id:i,request:e,content:t})})}dispose(){this.model.off("msg:custom",this.heard),this.waiting.clear()}heard=e=>{if(!x(
e)||typeof e.id!="string")return;let t=this.waiting.get(e.id);this.waiting.delete(e.id),typeof e.error=="string"?t?.reject(new Error(e.error)):t?.resolve(x(e.reply)?
e.reply:{})};name=Math.random().toString(36).slice(2);waiting=new Map;count=0};function x(o){return typeof o=="object"&&o!==null&&!Array.isArray(o)}function a(o){
return typeof o=="string"?o:""}function v(o,e=0){return typeof o=="number"?o:e}function u(o){return Array.isArray(o)?o:[]}var k=class{constructor(e){this.frame=e;this.body=s("div","",{},this.said,this.lines),this.stop.hidden=!0,e.tools.append(this.stop),requestAnimationFrame(()=>{let t=this.
body.closest("[data-lexsi-focus]");t!==null&&(delete t.dataset.lexsiFocus,this.said.focus())})}frame;body;changed(e,t){let i=re(e),r=t.some(l=>l===document.activeElement);
for(let l of t)l.disabled=i!=="open";let n=a(e.said);return n!==this.said.textContent&&(this.said.textContent=n),this.said.className=i==="done"?"lexsi-decided":
i==="open"?"lexsi-warning":"lexsi-said",this.lines.textContent=u(e.lines).map(a).join(`
`),this.lines.hidden=this.lines.textContent==="",this.stop.hidden=i!=="working",r&&i!=="open"&&this.said.focus(),i}said=s("div","lexsi-said",{role:"status",tabindex:"\
-1"});lines=s("pre","lexsi-lines");stop=c("Stop","Stop the run; what was made so far is kept",()=>{this.frame.ask("stop")})};function re(o){let e=a(o.phase);return e===
"working"||e==="done"?e:"open"}function N(o){return new R(o)}var R=class{constructor(e){this.frame=e;let{state:t}=e;this.decided=new k(e);let i=u(t.rows).map(d=>{let[p,h]=u(d).map(a);return s(
"tr","",{},s("th","",{scope:"row"},p??""),s("td","",{},h??""))});this.args.value=a(t.args),this.args.rows=Math.min(12,this.args.value.split(`
`).length+1);let r=s("label","lexsi-quiet",{for:this.reason.id},"Reason (optional)");this.reason.addEventListener("keydown",d=>{d.key==="Enter"&&this.decline()});
let n=s("div","",{},this.args,s("div","lexsi-tools",{},this.change,this.wrong)),l=F("Change arguments","Write other arguments; they are asked about again",n);this.
answers.append(s("div","lexsi-tools",{},this.yes,l),n,s("div","lexsi-tools",{},this.no,r,this.reason)),this.body.append(this.head,s("table","lexsi-asked",{},s("\
tbody","",{},...i)),this.answers,this.decided.body),this.controls=[this.yes,this.no,this.change,this.reason,this.args,l],this.changed(t)}frame;body=s("div","lex\
si-card");changed(e){let t=this.decided.changed(e,this.controls);this.head.textContent=t==="open"?"Approval needed. Nothing has run.":a(e.title),this.answers.hidden=
t==="done"}async decline(){this.no.disabled||await this.frame.ask("decline",{reason:this.reason.value})}async ask(){let e=oe(this.args.value);this.args.setAttribute(
"aria-invalid",String(e!=="")),this.wrong.textContent=e,e===""?await this.frame.ask("change",{args:this.args.value}):this.args.focus()}decided;controls;head=s("\
div","lexsi-title");answers=s("div","lexsi-answers");yes=c("Approve","Run it as it is shown",()=>{this.frame.ask("approve")});no=c("Decline","Do not run it; the\
 planner is told why",()=>{this.decline()});change=c("Ask again with these","They are shown once more before anything runs",()=>{this.ask()});wrong=s("span","le\
xsi-wrong",{id:f("lexsi-wrong"),role:"alert"});reason=s("input","lexsi-reason",{id:f("lexsi-field"),type:"text"});args=s("textarea","lexsi-args",{"aria-label":"\
Arguments as JSON","aria-describedby":this.wrong.id,spellcheck:"false"})};function oe(o){try{let e=JSON.parse(o);return typeof e=="object"&&e!==null&&!Array.isArray(
e)?"":'The arguments are no JSON object. Write them as {"name": value}.'}catch(e){return`The arguments are no JSON: ${e instanceof Error?e.message:String(e)}`}}function ae(o){return u(o.options).filter(x).map(e=>({number:v(e.number),text:a(e.text),gives:a(e.gives),asks:e.asks===!0,keeps:a(e.keeps)}))}function V(o){return new A(
o)}var A=class{constructor(e){this.frame=e;let{state:t}=e;this.readings=ae(t),this.decided=new k(e);let i=s("legend","lexsi-title",{},a(t.title)),r=s("fieldset",
"lexsi-choice",{},i,...this.readings.map(l=>this.line(l))),n=s("label","",{},this.keep,this.meaning);this.answers=s("div","lexsi-tools",{},this.take,n),this.body=
s("div","lexsi-card",{},r,this.answers,this.decided.body),this.changed(t)}frame;body;changed(e){let t=this.decided.changed(e,[...this.radios.values(),this.take,
this.keep]);this.chosen=v(e.chosen);for(let r of this.readings){let n=this.radios.get(r.number);n!==void 0&&(n.checked=r.number===this.chosen,n.disabled||=!r.asks,
n.parentElement?.classList.toggle("lexsi-chosen",n.checked))}let i=this.readings.find(r=>r.number===this.chosen)?.keeps??"";this.meaning.textContent=i===""?"kee\
p this meaning":`keep this meaning: ${i}`,this.keep.disabled||=i==="",this.answers.hidden=t==="done"}line(e){let t=s("input","",{type:"radio",name:this.name,value:String(
e.number)});t.addEventListener("change",()=>{this.frame.ask("mark",{number:e.number})}),t.addEventListener("keydown",r=>{r.key==="Enter"&&this.answer()}),this.radios.
set(e.number,t);let i=e.gives===""?[]:[s("b","lexsi-gives",{},e.gives)];return s("label","lexsi-reading",{},t,s("span","",{},e.text),...i)}async answer(){if(!this.
take.disabled){let e=[...this.radios].find(([,t])=>t.checked);await this.frame.ask("take",{number:e?.[0]??this.chosen,keep:this.keep.checked})}}chosen=0;readings;decided;answers;name=f(
"lexsi-reading");radios=new Map;keep=s("input","",{type:"checkbox"});meaning=s("span");take=c("Take this reading","Ask the reading that is marked",()=>{this.answer()})};function C(o){let e={};return o.dispatchEvent(new CustomEvent("lexsi:chart",{bubbles:!0,composed:!0,detail:e})),e.draw}function H(o,e,t){o.classList.add("lexsi-\
ground");let i=()=>{let l=e();l!==void 0&&o.isConnected&&y(o)!==l&&t()};o.addEventListener("transitionend",i);let r=new ResizeObserver(i);r.observe(o);let n=new MutationObserver(
()=>[0,500,2e3,5e3].forEach(l=>setTimeout(i,l)));return n.observe(document.body,{attributes:!0}),()=>{o.removeEventListener("transitionend",i),r.disconnect(),n.
disconnect()}}var E=class{constructor(e,t=s("div")){this.ask=e;this.body=t,t.classList.add("lexsi-chart")}ask;body;dark;end;gone=!1;asked=0;async draw(e,t){let i=++this.
asked,r=C(e),n=y(e),l=s("div","lexsi-drawn-chart",r===void 0?{}:{role:"img","aria-label":t}),d=await this.ask({dark:n,spec:r!==void 0}),p=d?.spec,h;if(r!==void 0&&
x(p)&&(h=await r(p,l,e.clientWidth).catch(()=>{})),h===void 0){let m=r===void 0?d:d&&await this.ask({dark:n,spec:!1}),g=s("img","lexsi-picture",{alt:t,src:`data\
:image/png;base64,${a(m?.png)}`});l.removeAttribute("role"),l.replaceChildren(g),m!==void 0&&await g.decode().catch(()=>{})}if(this.gone||i!==this.asked||d===void 0){
h?.();return}this.end?.(),this.end=h,this.dark=n,this.body.replaceChildren(l),e.isConnected&&y(e)!==n&&await this.draw(e,t)}dispose(){this.gone=!0,this.end?.(),
this.end=void 0}};function W(o){return new q(o)}var q=class{constructor(e){this.frame=e;let t=s("div","lexsi-tools",{role:"group","aria-label":"Values"});for(let i of u(e.state.fields).
filter(x)){let r=a(i.name),n=f("lexsi-field"),l=a(i.kind),d=a(i.asked),h=s("input","",{id:n,...l==="number"?{type:"text",inputmode:"decimal"}:{type:l}});h.addEventListener(
"keydown",g=>{g.key==="Enter"&&this.ask()}),h.addEventListener("input",()=>this.compare()),this.parameters.set(r,{input:h,asked:d});let m=s("span","lexsi-quiet",
{},`(${l}; asked with ${d})`);t.append(s("label","",{for:n},r,m),h)}t.append(this.run,this.reset),this.body.append(s("div","lexsi-title",{},a(e.state.title)),t,
this.answer),this.fill(e.state),this.answer.replaceChildren(w(a(e.state.html))),setTimeout(()=>{this.look(),this.ends??=H(this.answer,()=>this.charts[0]?.dark??
this.dark,()=>this.look())})}frame;body=s("div");changed(e){this.fill(e),this.show(a(e.html))}dispose(){this.ends?.(),this.charts.forEach(e=>e.dispose())}look(){
C(this.answer)===void 0?(this.dark=y(this.answer),this.frame.ask("look",{dark:this.dark})):this.show(a(this.frame.state.html))}async show(e){let t=++this.shown,
i=w(e),r=C(this.answer)===void 0?[]:[...i.querySelectorAll("[data-lexsi-chart]")],n=r.map(l=>{let d=Number(l.dataset.lexsiChart);return new E(p=>this.frame.ask(
"chart",{...p,number:d},this.answer),l)});if(b(this.answer,1),await Promise.all(n.map((l,d)=>l.draw(this.answer,r[d]?.querySelector("img")?.alt??r[d]?.textContent??
""))),b(this.answer,-1),t!==this.shown){n.forEach(l=>l.dispose());return}this.charts.forEach(l=>l.dispose()),this.charts=n,this.answer.replaceChildren(i)}fill(e){
for(let t of u(e.fields).filter(x)){let i=this.parameters.get(a(t.name))?.input;i!==void 0&&i!==document.activeElement&&(i.value=a(t.value))}this.compare()}compare(){
this.reset.disabled=[...this.parameters.values()].every(({input:e,asked:t})=>e.value===t)}async ask(){if(this.run.disabled)return;this.run.disabled=!0;let e=Object.
fromEntries([...this.parameters].map(([i,{input:r}])=>[i,r.value])),t=await this.frame.ask("run",{values:e},this.answer);this.run.disabled=!1,t!==void 0&&this.frame.
announce(a(t.answer))}back(){for(let{input:e,asked:t}of this.parameters.values())e.value=t;this.ask()}shown=0;dark;charts=[];ends;parameters=new Map;answer=s("d\
iv");run=c("Run","Ask the same question with these values",()=>{this.ask()});reset=c("Reset","Run with the values that were asked with",()=>this.back())};var le=2e3,de=24,S=class{constructor(e,t){this.model=e;this.kernel=new M(e),this.root.dataset.lmSuppressShortcuts="true",this.root.setAttribute("role","group"),
this.root.setAttribute("aria-label",a(this.state.title)||"lexsi"),this.listing.hidden=!0;let i=s("div","lexsi-tools",{},this.tools);this.state.code===!0&&(this.
code=this.showCode(),i.append(this.code)),this.root.append(this.body,i,this.said,this.heard,this.listing),t.append(this.root),e.on("change:state",this.changed)}model;get state(){
let e=this.model.get("state");return x(e)?e:{}}tools=s("div","lexsi-tools lexsi-own");show(e){this.view=e,this.body.append(e.body)}async ask(e,t={},i=this.root){
b(i,1);let r=setTimeout(()=>this.say("Waiting for the kernel."),le);try{let n=await this.kernel.ask(e,t);return this.say(""),n}catch(n){this.say(n instanceof Error?
n.message:String(n));return}finally{clearTimeout(r),b(i,-1)}}say(e){this.said.textContent=e}announce(e){this.heard.textContent=e}dispose(){this.model.off("chang\
e:state",this.changed),this.kernel.dispose(),this.view?.dispose?.()}changed=()=>{this.view?.changed?.(this.state),this.code!==void 0&&(this.code.hidden=this.state.
code!==!0,this.listing.hidden||=this.code.hidden),this.listing.hidden||this.list()};showCode(){let e=c("Show code","Show the code cell for what is shown now",()=>{
this.listing.hidden=!this.listing.hidden,e.textContent=this.listing.hidden?"Show code":"Hide code",e.setAttribute("aria-expanded",String(!this.listing.hidden)),
this.listing.hidden||this.list()});return e.setAttribute("aria-expanded","false"),e}async list(){let e=await this.ask("code");if(e===void 0)return;let t=a(e.source),
i=c("Copy","Copy the code",()=>{navigator.clipboard.writeText(t).then(()=>this.say("Copied."),()=>this.say("The browser did not let the code be copied; select i\
t instead."))}),r=s("div","lexsi-tools",{},s("span","lexsi-quiet",{},a(e.title)),i);this.listing.replaceChildren(r,s("pre","lexsi-source",{tabindex:"0"},t));let n=t.
trimEnd().split(`
`).length;if(n>de){let l=()=>{this.listing.classList.toggle("lexsi-cut",!this.whole),d.textContent=this.whole?"Show fewer lines":`Show all ${n} lines`,d.setAttribute(
"aria-expanded",String(this.whole))},d=c("","How much of the code is shown",()=>{this.whole=!this.whole,l()});l(),this.listing.append(d)}}root=s("section","lexs\
i-live");body=s("div","lexsi-body");said=s("div","lexsi-said",{role:"status"});heard=s("div","lexsi-heard",{"aria-live":"polite"});listing=s("div","lexsi-listin\
g");kernel;view;whole=!1;code};function D(o){let e=s("ol","lexsi-steps"),t=s("span"),i=s("pre","lexsi-lines"),r=s("div","lexsi-going",{role:"progressbar","aria-label":"Under way"}),n=c("Stop",
"Stop the run; what was made so far is kept",()=>{o.ask("stop")});o.tools.append(n);let l,d=()=>{let m=l===void 0?0:Math.floor((performance.now()-l)/1e3);t.textContent=
m<1?"":` · ${m} s`},p=m=>{let g=u(m.lines).map(a),L=typeof m.seconds=="number";l=L?performance.now()-1e3*v(m.seconds):void 0;let T=g.map((te,ie)=>{let j=ie<g.length-
1||!L;return s("li",j?"lexsi-over":"",j?{}:{"aria-current":"step"},te)});T.at(-1)?.append(t),d(),e.replaceChildren(...T),i.textContent=a(m.writing),n.disabled=m.
stopping===!0,n.textContent=n.disabled?"Stopping":"Stop"};p(o.state);let h=setInterval(d,500);return{body:s("div","",{},e,i,r),changed:p,dispose:()=>clearInterval(
h)}}var Q=String.raw`.lexsi-live{--lexsi-text: var(--jp-ui-font-color1, var(--vscode-editor-foreground, CanvasText));--lexsi-quiet: color-mix(in srgb, var(--lexsi-text) 78%, transparent);
--lexsi-line: var(--jp-border-color1, color-mix(in srgb, currentColor 35%, transparent));--lexsi-fine: var(--jp-border-color2, color-mix(in srgb, currentColor 18%,
transparent));--lexsi-raised: var(--jp-layout-color2, color-mix(in srgb, currentColor 8%, transparent));--lexsi-field: var(--jp-layout-color1, var(--vscode-input-background,
Canvas));--lexsi-ground: var(--jp-layout-color0, var(--vscode-editor-background, Canvas));--lexsi-shade: color-mix(in srgb, var(--lexsi-text) 45%, transparent);
--lexsi-focus: var(--jp-brand-color1, var(--vscode-focusBorder, Highlight));--lexsi-raises: #d9771f;--lexsi-lowers: #5083b8;box-sizing:border-box;container-type:inline-size;
position:relative;width:100%;padding:4px 8px;font-family:var(--jp-ui-font-family, system-ui, sans-serif);font-size:var(--jp-ui-font-size1, 13px);line-height:1.4;
color:var(--lexsi-text)}.lexsi-live [hidden]{display:none!important}.lexsi-tools{display:flex;flex-wrap:wrap;align-items:center;gap:6px 8px;margin:6px 0}.lexsi-tools
label{display:inline-flex;align-items:center;gap:4px;max-width:100%}.lexsi-tools select{min-width:0}.lexsi-live input:is([type=radio],[type=checkbox]){width:16px;
height:16px;margin:4px;accent-color:var(--lexsi-focus)}.lexsi-live>* .lexsi-waits{position:relative}.lexsi-live>* .lexsi-waits>*{opacity:.4;transition:opacity .1s
.15s}.lexsi-live>* .lexsi-waits:after{content:"drawing…";position:absolute;top:8px;left:8px;padding:2px 10px;background:var(--lexsi-field);border:1px solid var(--lexsi-line);
animation:lexsi-late .3s step-end}@keyframes lexsi-late{0%{opacity:0}}.lexsi-badge{padding:0 6px;font-size:85%;border:1px solid var(--lexsi-line);border-radius:2px}
.lexsi-own{display:contents}.lexsi-quiet{color:var(--lexsi-quiet)}.lexsi-said:not(:empty){margin:4px 0}.lexsi-heard{position:absolute;width:1px;height:1px;overflow:hidden;
clip-path:inset(50%);white-space:nowrap}.lexsi-button{min-height:24px;padding:0 10px;font:inherit;color:inherit;background:var(--lexsi-raised);border:1px solid var(--lexsi-line);
border-radius:2px;cursor:pointer}.lexsi-button:hover:not(:disabled){border-color:var(--lexsi-focus)}.lexsi-button[aria-expanded=true]{background:var(--lexsi-field);
border-color:var(--lexsi-focus);box-shadow:inset 0 0 0 1px var(--lexsi-focus)}.lexsi-button.lexsi-waits{opacity:.5;cursor:progress}.lexsi-button:disabled{cursor:default;
opacity:.45}.lexsi-live :is(button,input,select,textarea,pre,summary,[tabindex]):focus-visible{outline:2px solid var(--lexsi-focus);outline-offset:1px}.lexsi-live
:is(input:not([type=checkbox],[type=radio],[type=range]),select,textarea){box-sizing:border-box;min-height:24px;padding:0 6px;font:inherit;color:inherit;background:var(--lexsi-field);
border:1px solid var(--lexsi-line);border-radius:2px}.lexsi-live .lexsi-source{margin:2px 0 4px;padding:6px 8px;overflow:auto hidden;font-family:var(--jp-code-font-family,
monospace);font-size:var(--jp-code-font-size, 13px);color:inherit;background:var(--jp-cell-editor-background, var(--lexsi-raised));border:1px solid var(--lexsi-fine);
white-space:pre;word-break:normal}.lexsi-live .lexsi-cut>.lexsi-source{max-height:22em;mask-image:linear-gradient(#000 75%,transparent)}.lexsi-name{margin-right:8px;
font-weight:600}.lexsi-scroll{overflow-x:auto}.lexsi-scroll.lexsi-more{box-shadow:inset -10px 0 8px -8px var(--lexsi-shade)}.lexsi-live .lexsi-table{border-collapse:collapse;
margin:0;font-size:inherit}.lexsi-live .lexsi-table>:is(thead,tbody)>tr>:is(th,td){padding:2px 12px 2px 4px;text-align:left;vertical-align:middle;white-space:nowrap;
background:none}.lexsi-live .lexsi-table>*>tr>.lexsi-act{position:sticky;right:0;padding-right:4px;background:var(--lexsi-ground)}.lexsi-live .lexsi-table>tbody>
tr:is(:hover,.lexsi-chosen)>.lexsi-act{background:var(--lexsi-raised)}.lexsi-more .lexsi-act{border-left:1px solid var(--lexsi-line)!important;box-shadow:-8px 0
8px -8px var(--lexsi-shade)}.lexsi-live .lexsi-explains{min-width:min(60em,100%)}.lexsi-act>.lexsi-button{min-width:5.5em}.lexsi-live .lexsi-table>thead>tr>th{font-weight:600;
vertical-align:bottom;white-space:normal;border-bottom:1px solid var(--lexsi-line)}.lexsi-live .lexsi-table th[aria-sort]{min-width:4.5em}.lexsi-live .lexsi-table>
tbody>tr{background:none;border-bottom:1px solid var(--lexsi-fine)}.lexsi-live .lexsi-table>tbody>tr:hover,.lexsi-live .lexsi-table>tbody>tr.lexsi-chosen{background:var(--lexsi-raised)}
.lexsi-live .lexsi-table>tbody>tr>td.lexsi-wrapped{max-width:28em;overflow:hidden;text-overflow:ellipsis}.lexsi-live .lexsi-table>tbody>tr>td.lexsi-note{min-width:10em;
white-space:normal}.lexsi-live .lexsi-table>tbody>tr>td.lexsi-unfolded{padding:6px 4px 10px;white-space:normal}.lexsi-unfolded>div{position:sticky;left:4px;box-sizing:border-box;
width:min(60em,calc(100cqw - 12px));overflow-x:auto}.lexsi-sort{padding:0;text-align:inherit;font:inherit;font-weight:600;color:inherit;background:none;border:none;
cursor:pointer}.lexsi-sort:after{content:"↕";display:inline-block;width:1em;margin-left:2px;color:var(--lexsi-quiet)}[aria-sort=ascending]>.lexsi-sort:after{content:"\
↑";color:inherit}[aria-sort=descending]>.lexsi-sort:after{content:"↓";color:inherit}.lexsi-filter{display:grid;gap:2px}.lexsi-live .lexsi-filter input{width:100%;
min-width:0;font-weight:400}.lexsi-selection:not(:empty){margin:0 0 8px;padding:6px 8px;border:1px solid var(--lexsi-line)}.lexsi-selection>.lexsi-button{float:right;
margin:0 0 4px 8px}.lexsi-html{max-width:100%;overflow-x:auto}.lexsi-html table{color:inherit}.lexsi-bar{position:relative;display:block;min-width:100px;height:1.2em}
.lexsi-bar:before{content:"";position:absolute;top:-2px;bottom:-2px;left:var(--zero);border-left:1px solid var(--lexsi-quiet)}.lexsi-bar>i{position:absolute;top:15%;
bottom:15%;min-width:1px}.lexsi-up{background:var(--lexsi-raises)}.lexsi-down{background:var(--lexsi-lowers)}.lexsi-bar>.lexsi-was{top:0;bottom:0;box-sizing:border-box;
border:1px solid var(--lexsi-text)}.lexsi-live :is(.lexsi-bars,.lexsi-rows){width:100%;max-width:60em;margin:4px 0 6px;border-collapse:collapse;font-size:inherit}
.lexsi-live :is(.lexsi-bars,.lexsi-rows) :is(tr,th,td){padding:1px 16px 1px 0;text-align:left;vertical-align:top;font-weight:400;white-space:normal;background:none}
.lexsi-live .lexsi-rows th{width:1%;color:var(--lexsi-quiet);white-space:nowrap}.lexsi-live .lexsi-rows td{overflow-wrap:anywhere}.lexsi-live .lexsi-bars :is(th,
.lexsi-number){width:1%;white-space:nowrap}.lexsi-live .lexsi-number{text-align:right!important;font-variant-numeric:tabular-nums}.lexsi-share{height:3px;background:var(--lexsi-lowers)}
.lexsi-lead{max-width:62em;margin:0 0 6px}.lexsi-live details{margin:4px 0}.lexsi-live summary{cursor:pointer}.lexsi-score{position:sticky;top:0;z-index:1;padding:4px
0;font-size:125%;font-weight:600;background:var(--lexsi-ground)}.lexsi-live .lexsi-fields{width:100%;max-width:70em}.lexsi-live .lexsi-fields>tbody th{font-weight:400}
.lexsi-live .lexsi-fields>tbody>.lexsi-chosen th,.lexsi-moved{font-weight:600!important}.lexsi-live .lexsi-table .lexsi-drawn{width:40%}.lexsi-typed{display:flex;
gap:4px}.lexsi-typed>:is(input,select){width:11em}.lexsi-typed>.lexsi-button{padding:0 7px}.lexsi-known{font-size:85%;color:var(--lexsi-quiet)}.lexsi-title{margin:0
0 6px;font-weight:600}.lexsi-warning:not(:empty){margin:0 0 6px;padding-left:8px;border-left:3px solid var(--lexsi-raises)}.lexsi-live [aria-invalid=true]{outline:2px
solid var(--jp-error-color1, #d13438)}.lexsi-card{box-sizing:border-box;max-width:62em;padding:8px 12px;border:1px solid var(--lexsi-line);border-radius:4px}.lexsi-live
.lexsi-asked{margin:0 0 8px;border-collapse:collapse;font-size:inherit}.lexsi-live .lexsi-asked :is(tr,th,td){padding:2px 16px 2px 0;text-align:left;vertical-align:top;
font-weight:400;white-space:normal;overflow-wrap:anywhere;background:none}.lexsi-live .lexsi-asked th{color:var(--lexsi-quiet);white-space:nowrap}.lexsi-live .lexsi-args{
width:100%;padding:6px 8px;font-family:var(--jp-code-font-family, monospace);font-size:var(--jp-code-font-size, 13px)}.lexsi-live .lexsi-reason{flex:0 1 24em}.lexsi-wrong{
color:var(--jp-error-color1, #d13438)}.lexsi-decided{padding-left:8px;border-left:3px solid var(--lexsi-lowers);font-weight:600}.lexsi-choice{margin:0;padding:0;
border:none}.lexsi-reading{display:flex;gap:8px;align-items:center;padding:4px 8px;border-bottom:1px solid var(--lexsi-fine);cursor:pointer}.lexsi-reading.lexsi-chosen{
background:var(--lexsi-raised)}.lexsi-live :is(input[type=checkbox],input[type=radio]){margin:0 4px 0 0;vertical-align:-2px}.lexsi-reading>span{flex:1}.lexsi-gives{
font-variant-numeric:tabular-nums}.lexsi-ground{transition:color 1ms}.lexsi-drawn-chart{max-width:100%;overflow-x:auto}.lexsi-picture{display:block;max-width:100%;
zoom:.5}.lexsi-live .lexsi-steps{margin:0;padding:0;list-style:none}.lexsi-steps>li:before{content:"▸";display:inline-block;width:1.4em}.lexsi-steps>.lexsi-over{
color:var(--lexsi-quiet)}.lexsi-steps>.lexsi-over:before{content:"✓"}.lexsi-going{max-width:240px;height:4px;margin:6px 0;background:linear-gradient(90deg,transparent
30%,var(--lexsi-focus) 50%,transparent 70%) 0 / 200% 100% var(--lexsi-fine);animation:lexsi-goes 1.6s linear infinite}@keyframes lexsi-goes{0%{background-position:200%
0}}@media(prefers-reduced-motion:reduce){.lexsi-going{animation-duration:8s}}.lexsi-live .lexsi-lines:empty{display:none}.lexsi-live .lexsi-lines{margin:0;font-family:var(--jp-code-font-family,
monospace);font-size:var(--jp-code-font-size, 13px);color:inherit;white-space:pre-wrap}@container (max-width: 480px){.lexsi-live .lexsi-table>:is(thead,tbody)>tr>
:is(th,td){padding-right:6px}.lexsi-button{min-height:32px}.lexsi-fields>thead{display:none}.lexsi-live .lexsi-fields>tbody>tr{display:grid;grid-template-columns:1fr
4.5em 4.5em;padding:4px 0}.lexsi-live .lexsi-fields>tbody>tr>.lexsi-was-it{grid-column:2 / 4;color:var(--lexsi-quiet)}.lexsi-fields .lexsi-drawn{grid-column:1 /
4;width:auto!important}.lexsi-live :is(.lexsi-bars,.lexsi-rows) tr{display:grid;grid-template-columns:1fr auto}.lexsi-live .lexsi-bars tr>*{width:auto;white-space:normal}
.lexsi-bars .lexsi-drawn,.lexsi-rows td{grid-column:1 / 3}.lexsi-live .lexsi-asked :is(tr,th,td){display:block;white-space:normal}.lexsi-act>.lexsi-button{min-width:0;
padding:0 6px}}
`;function B(o){return new P(o)}var P=class{constructor(e){this.frame=e;let t=e.state,i=u(t.plots).filter(x),r=s("div","lexsi-tools",{role:"radiogroup","aria-labe\
l":"Picture"}),n=f("lexsi-plot");for(let p of i){let h=s("input","",{type:"radio",name:n,value:a(p.id)});h.addEventListener("change",()=>{this.show({plot:h.value})}),
this.radios.push(h),r.append(s("label","",{},h,` ${a(p.label)}`))}let l=u(t.features).map(a);this.feature=this.select("feature","Feature",l,!1),this.by=this.select(
"by","coloured by",l,!0);let d=u(t.cases).filter(x);this.one=this.select("case","Case",d.map(p=>a(p.id)),!1,d.map(p=>a(p.label))),t.synthetic===!0&&r.append(s("\
span","lexsi-badge",{},"SYNTHETIC data")),this.body.append(r,s("div","lexsi-tools",{},this.feature.label,this.by.label,this.one.label)),this.shown.append(this.chart.
body),this.body.append(this.shown),this.changed(t)}frame;body=s("div");changed(e){let t=a(e.plot);for(let i of this.radios)i.checked=i.value===t;this.feature.select.
value=a(e.feature),this.by.select.value=a(e.by),this.one.select.value=a(e.case),this.feature.label.hidden=this.by.label.hidden=t!=="dependence",this.one.label.hidden=
t!=="waterfall",this.draw()}dispose(){this.ends?.(),this.chart.dispose()}async draw(){b(this.shown,1),await new Promise(e=>setTimeout(e)),this.ends??=H(this.shown,
()=>this.chart.dark,()=>{this.draw()}),await this.chart.draw(this.shown,a(this.frame.state.alt)),b(this.shown,-1)}async show(e){await this.frame.ask("show",e,this.
shown)===void 0&&this.changed(this.frame.state)}select(e,t,i,r,n=i){let l=i.map((p,h)=>s("option","",{value:p},n[h]??p));r&&l.unshift(s("option","",{value:""},"\
none"));let d=s("select","",{},...l);return d.addEventListener("change",()=>{this.show({[e]:d.value})}),{select:d,label:s("label","",{},`${t} `,d)}}radios=[];feature;by;one;shown=s(
"div");chart=new E(e=>this.frame.ask("picture",e));ends};function K(o){return u(o.columns).filter(x).map(e=>({at:v(e.at),name:a(e.name),kind:a(e.kind),hint:a(e.hint),bar:e.bar===!0}))}function J(o){let e=x(o.query)?o.
query:{},t=x(e.sort)?e.sort:void 0;return{sort:t===void 0?null:{column:v(t.column),descending:t.descending===!0},filters:u(e.filters).filter(x).map(i=>({column:v(
i.column),..."contains"in i?{contains:a(i.contains)}:{low:a(i.low),high:a(i.high)}})),offset:v(e.offset),names:a(e.names)}}function U(o){let e=x(o.page)?o.page:
{};return{rows:u(e.rows).filter(x).map(t=>({place:v(t.place),name:a(t.name),cells:u(t.cells).map(a),titles:x(t.titles)?t.titles:{}})),matched:v(e.matched),total:v(
e.total),size:v(e.size,25)}}function G(o,e){return o===null||o.column!==e?{column:e,descending:!1}:o.descending?null:{column:e,descending:!0}}function Y(o,e){let t=o.
filter(r=>r.column!==e.column);return[e.contains,e.low,e.high].every(r=>r===void 0||r.trim()==="")?t:[...t,e].sort((r,n)=>r.column-n.column)}function _(o,e){let t=r=>r.
toLocaleString("en-US"),i=o.matched===o.total?"":` (${t(o.total)} without filters)`;return o.matched===0?o.total===0?"no rows":`no row fits${i}`:`rows ${t(e+1)}\
 to ${t(e+o.rows.length)} of ${t(o.matched)}${i}`}function X(o,e){return`${o.sort!==null?"sorting":o.filters.length>0?"filtering":"reading"} ${e.toLocaleString(
"en-US")} rows`}var pe=250,he=400,ce={number:"lexsi-number",note:"lexsi-note"};function Z(o){return new z(o)}var z=class{constructor(e){this.frame=e;let t=F("Filter","Show a fi\
lter under each column",this.filterRow);t.addEventListener("click",()=>!this.filterRow.hidden&&this.filterRow.querySelector("input")?.focus());let i=s("span","l\
exsi-name",{},a(e.state.title)),r=s("div","lexsi-tools",{},i,t,this.clear,this.columns());e.state.explains===!0&&(r.append(this.explainChosen),this.choose()),this.
stop.hidden=!0,this.body.append(r,this.selection,I("Table",this.table())),e.tools.append(this.first,this.previous,this.place,this.stop,this.next,this.last),this.
changed(e.state)}frame;body=s("div");changed(e){let t=J(e),i=U(e),r=K(e),n=JSON.stringify(r);n!==this.shape&&(this.shape=n,this.drawHead(r,t,e.explains===!0)),this.
query=t;for(let d of this.heads){let{sort:p}=t,h=p?.column!==d.at?"none":p.descending?"descending":"ascending";d.at>=0&&d.node.setAttribute("aria-sort",h)}this.
clear.hidden=t.filters.length===0,this.drawRows(i,r,e.explains===!0),this.marked(),this.where=_(i,t.offset),this.place.textContent=this.where;let l=Math.max(0,Math.
floor((i.matched-1)/i.size)*i.size);this.first.disabled=this.previous.disabled=t.offset===0,this.next.disabled=this.last.disabled=t.offset>=l,this.page=i,this.lastOffset=
l}dispose(){clearTimeout(this.typing),clearTimeout(this.long)}table(){return s("table",this.frame.state.explains===!0?"lexsi-table lexsi-explains":"lexsi-table",
{"aria-label":a(this.frame.state.title)},s("thead","",{},this.headRow,this.filterRow),this.rows)}columns(){let e=s("input","lexsi-words",{type:"search",placeholder:"\
columns named","aria-label":"Show columns whose name has"});return e.hidden=this.frame.state.wide!==!0,e.addEventListener("input",()=>this.soon({names:e.value})),
e}drawHead(e,t,i){this.heads=e.map(n=>{if(n.kind==="note")return{at:n.at,node:s("th","",{scope:"col"},n.name)};let l=c(n.name,`Sort by ${n.name}${n.hint&&`: ${n.
hint}`}`,()=>{this.ask({sort:G(this.query.sort,n.at),offset:0})});l.className="lexsi-sort";let d=s("th",n.kind==="number"?"lexsi-number":"",{scope:"col"},l);return{
at:n.at,node:d}});let r=()=>s("td");this.headRow.replaceChildren(...this.heads.map(n=>n.node)),this.filterRow.replaceChildren(...e.map(n=>s("td","",{},this.filter(
n,t.filters.find(l=>l.column===n.at))))),i&&(this.headRow.prepend(s("th","",{},this.all)),this.headRow.append(s("th","lexsi-act",{"aria-label":"Explanation"})),
this.filterRow.prepend(r()),this.filterRow.append(s("td","lexsi-act")))}filter(e,t){if(e.kind==="note")return s("div");let i=(n,l,d)=>{let p=s("input",d,{type:"\
text",size:"1",placeholder:n,"aria-label":`${e.name} ${n}`});return p.value=l,p};if(e.kind==="number"||e.kind==="date"){let n=i("from",t?.low??"",""),l=i("to",t?.
high??"",""),d=()=>this.filtered({column:e.at,low:n.value,high:l.value});return n.addEventListener("input",d),l.addEventListener("input",d),s("div","lexsi-filte\
r",{},n,l)}let r=i("contains",t?.contains??"","lexsi-words");return r.addEventListener("input",()=>this.filtered({column:e.at,contains:r.value})),s("div","lexsi\
-filter",{},r)}filtered(e){this.filters=Y(this.filters??this.query.filters,e),this.soon({filters:this.filters})}drawRows(e,t,i){this.boxes.clear();let r=e.rows.
map(n=>{let l=n.cells.map((p,h)=>{let m=ce[t[h]?.kind??""]??"lexsi-wrapped",g=a(n.titles[h])||(p.length>40?p:""),L=s("td",m,g===""?{}:{title:g},p);if(t[h]?.bar===
!0){let T=Math.min(1,Math.max(0,Number.parseFloat(p)||0));L.append(s("div","lexsi-share",{style:`width:${100*T}%`}))}return L}),d=s("tr","",{},...l);return i&&(d.
prepend(s("td","",{},this.box(n.place,n.name,d))),d.append(s("td","lexsi-act",{},this.explain(n.place,n.name,d)))),d});this.rows.replaceChildren(...r)}box(e,t,i){
let r=s("input","",{type:"checkbox","aria-label":`Choose ${t}`});return this.boxes.set(e,{box:r,line:i}),r.addEventListener("change",()=>this.choose([e],r.checked)),
r}choose(e=[],t=!0){for(let i of e)this.chosen[t?"add":"delete"](i);this.explainChosen.disabled=this.chosen.size===0,this.explainChosen.textContent=`Explain ${this.
chosen.size||""} chosen`.replace("  "," "),this.marked()}marked(){let e=0;for(let[t,{box:i,line:r}]of this.boxes)i.checked=this.chosen.has(t),r.classList.toggle(
"lexsi-chosen",i.checked),e+=Number(i.checked);this.all.checked=e>0&&e===this.boxes.size,this.all.indeterminate=e>0&&e<this.boxes.size}explain(e,t,i){let r=f("l\
exsi-why"),n=c("Explain",`What moved the score of ${t}`,()=>{d()});n.setAttribute("aria-label",`Explain ${t}`),n.setAttribute("aria-expanded","false");let l,d=async()=>{
if(l!==void 0){l.remove(),l=void 0,n.textContent="Explain",n.setAttribute("aria-expanded","false");return}let p=await this.frame.ask("explain",{places:[e]},n);if(p===
void 0||l!==void 0||!i.isConnected)return;let h=s("td","lexsi-unfolded",{colspan:String(i.children.length)},w(a(p.html)));l=s("tr","",{id:r},h),i.after(l),n.textContent=
"Hide",n.setAttribute("aria-expanded","true"),n.setAttribute("aria-controls",r),this.frame.announce(a(p.sentence))};return n}async explainSelection(){let e=await this.
frame.ask("explain",{places:[...this.chosen]},this.explainChosen);if(e!==void 0){let t=c("Close","Close the explanation",()=>{this.selection.replaceChildren(),this.
explainChosen.focus()});this.selection.replaceChildren(t,w(a(e.html))),this.frame.announce(a(e.sentence))}}soon(e){clearTimeout(this.typing),this.pending={...this.
pending,...e},this.typing=setTimeout(()=>{let t=this.pending;this.pending={},this.filters=void 0,this.ask({...t,offset:0})},pe)}unfilter(){clearTimeout(this.typing),
this.pending={},this.filters=void 0;for(let e of this.filterRow.querySelectorAll("input"))e.value="";this.ask({filters:[],offset:0})}chooseAll(){let e=s("input",
"",{type:"checkbox","aria-label":"Choose all rows of this page"});return e.addEventListener("change",()=>this.choose([...this.boxes.keys()],e.checked)),e}async ask(e){
let t={...this.query,...e},i=++this.asked;clearTimeout(this.long),this.long=setTimeout(()=>{this.place.textContent=X(t,this.page.total),this.stop.hidden=!1},he),
await this.frame.ask("page",t),i===this.asked&&(clearTimeout(this.long),this.stop.hidden=!0,this.place.textContent=this.where)}go(e,t,i){return c(e,t,()=>{this.
ask({offset:i()})})}query={sort:null,filters:[],offset:0,names:""};page={rows:[],matched:0,total:0,size:25};heads=[];filters;pending={};typing;long;asked=0;where="";shape="";lastOffset=0;chosen=new Set;boxes=new Map;all=this.
chooseAll();clear=c("Clear filters","Show all rows",()=>this.unfilter());headRow=s("tr");filterRow=s("tr");rows=s("tbody");selection=s("div","lexsi-selection",{
"aria-live":"polite"});place=s("span","lexsi-quiet",{"aria-live":"polite"});first=this.go("First","First rows",()=>0);previous=this.go("Previous","Rows before",
()=>Math.max(0,this.query.offset-this.page.size));next=this.go("Next","Rows after",()=>this.query.offset+this.page.size);last=this.go("Last","Last rows",()=>this.
lastOffset);stop=c("Stop","Leave the table as it is",()=>{this.frame.ask("stop")});explainChosen=c("Explain chosen","What moved the scores of the chosen rows",()=>{
this.explainSelection()})};function ue(o){return u(o.fields).filter(x).map(e=>({feature:a(e.feature),kind:a(e.kind),own:a(e.own),shown:a(e.shown),value:a(e.value),changed:e.changed===!0,unused:e.
unused===!0,words:u(e.words).map(a),known:a(e.known),now:a(e.now),moved:a(e.moved),bar:a(e.bar)}))}function ee(o){return new $(o)}var $=class{constructor(e){this.
frame=e;let t=s("div","lexsi-quiet",{},a(e.state.title)),r=["feature","as it is","what if",`contribution (${a(e.state.unit)})`,"moved",""],n=s("tr","",{},...r.map(
p=>s(p===""?"td":"th",p==="feature"?"":"lexsi-number",{},p))),l=s("table","lexsi-table lexsi-fields",{"aria-label":"Values"},s("thead","",{},n),this.rows),d=s("\
div","lexsi-quiet",{},a(e.state.note));this.body.append(t,this.score,this.beyond,l,this.more,d),e.tools.append(this.reset),this.changed(e.state),setTimeout(()=>{
let p=this.body.closest(".jp-Cell:not(:has(.jp-mod-outputsScrolled))");for(let h=this.body;p!==null&&h instanceof HTMLElement&&(h.style.overflow="visible",h!==p);h=
h.parentElement);})}frame;body=s("div");changed(e){let t=ue(e),i=x(e.rest)?e.rest:void 0,r=[...t.map(d=>d.feature),a(i?.label)].join(`
`);r!==this.shape&&(this.shape=r,this.lines=t.map(d=>this.line(d)),this.other=i===void 0?void 0:this.cells(a(i.label),""),this.rows.replaceChildren(...[...this.
lines,...this.other?[this.other]:[]].map(d=>d.node))),t.forEach((d,p)=>this.fill(this.lines[p],d,d)),this.fill(this.other,i);let n=a(e.sentence);this.score.textContent!==
n&&(this.score.textContent=n);let l=u(e.beyond).map(a);this.beyond.textContent=l.length===0?"":`Outside of what was learned from: ${l.join("; ")}.`,this.reset.disabled=
e.changed===0,this.drawMore(u(e.others).map(a))}fill(e,t,i){e===void 0||t===void 0||(e.now.textContent=a(t.now),e.moved.textContent=a(t.moved),e.bar.innerHTML=a(
t.bar),!(e.input===void 0||i===void 0)&&(e.input===document.activeElement&&e.input instanceof HTMLInputElement||(e.input.value=i.value,e.input.removeAttribute("\
aria-invalid")),e.back.hidden=!i.changed,e.node.classList.toggle("lexsi-chosen",i.changed)))}line(e){let t=this.input(e),i=c("↺",`Put back ${e.shown}`,()=>{t.
value=e.own,this.change(e.feature,t),t.focus()});i.setAttribute("aria-label",`Put back ${e.feature}`),t.addEventListener("change",()=>{this.change(e.feature,t)});
let r=s("label","",{for:t.id},e.feature),n=s("div","lexsi-known",{id:`${t.id}-known`},e.unused?"the model does not use it":e.known);t.setAttribute("aria-describ\
edby",n.id);let l=s("div","lexsi-typed",{},t,i);return{...this.cells(r,e.shown,l,n),input:t,back:i}}cells(e,t,...i){let r=(m,...g)=>s("td",m,{},...g),[n,l,d]=[r(
"lexsi-number"),r("lexsi-number lexsi-moved"),r("lexsi-drawn")],p=s("th","",{scope:"row"},e),h=s("tr","",{},p,r("lexsi-number lexsi-was-it",t),r("lexsi-field",...i),
n,l,d);return{node:h,back:h,input:void 0,now:n,moved:l,bar:d}}input(e){let t=f("lexsi-field"),i=e.kind==="truth"?["yes","no"]:e.words;if(i.length>0){let l=["",...i].
map(p=>s("option","",{value:p},p===""?"missing":p)),d=s("select","",{id:t},...l);return d.value=e.value,d}let r=e.kind==="number"?{inputmode:"decimal"}:{},n=s("\
input","",{id:t,type:"text",placeholder:"missing",size:"12",...r,class:e.kind==="number"?"lexsi-number":""});return n.value=e.value,n}async change(e,t){let i=await this.
frame.ask("change",{feature:e,value:t.value},this.score);t.setAttribute("aria-invalid",String(i===void 0)),i!==void 0&&this.frame.say(a(i.sentence))}drawMore(e){
if(e.join(`
`)===this.others||(this.others=e.join(`
`),this.more.replaceChildren(),e.length===0))return;let t=["",...e].map(r=>s("option","",{value:r},r===""?"Add a feature…":r)),i=s("select","",{"aria-label":"\
Change another feature"},...t);i.addEventListener("change",()=>{i.value!==""&&this.frame.ask("add",{feature:i.value})}),this.more.append(i)}shape="";others="";lines=[];other;rows=s(
"tbody");more=s("div","lexsi-tools");score=s("div","lexsi-score",{"aria-live":"polite"});beyond=s("div","lexsi-warning",{role:"status"});reset=c("Reset","Put ba\
ck the values of the case",()=>{this.frame.ask("reset")})};var xe={table:Z,"what-if":ee,shap:B,progress:D,controls:W,choice:V,approval:N};function Rt({model:o,el:e}){me();let t=new S(o,e),i=xe[a(o.get("kind"))];return i===
void 0?t.say("This widget was made by another version of lexsi-nb."):t.show(i(t)),()=>t.dispose()}function me(){let o="lexsi-live-style";document.getElementById(
o)===null&&document.head.append(s("style","",{id:o},Q))}export{Rt as render};
