var FOCUSABLE=["button","input","select","summary","textarea"];function make(tag,name="",attributes={},...content){let made2=document.createElement(tag);name!==
""&&(made2.className=name);for(let[key,value]of Object.entries(attributes))made2.setAttribute(key,value);return(FOCUSABLE.includes(tag)||"tabindex"in attributes)&&
(made2.dataset.lmSuppressShortcuts="true"),made2.append(...content),made2}function button(label,title,act){let made2=make("button","lexsi-button",{type:"button",
title},label);return made2.addEventListener("click",act),made2}function disclosure(label,title,shown){shown.hidden=!0,shown.id=shown.id||unique("lexsi-shown");let made2=button(
label,title,()=>{shown.hidden=!shown.hidden,made2.setAttribute("aria-expanded",String(!shown.hidden))});return made2.setAttribute("aria-expanded","false"),made2.
setAttribute("aria-controls",shown.id),made2}function fromKernel(html){let made2=make("div","lexsi-html");return made2.innerHTML=html,made2}var made=0;function unique(prefix){
return`${prefix}-${Date.now().toString(36)}-${++made}`}var Kernel=class{constructor(model){this.model=model;model.on("msg:custom",this.heard)}model;ask(request,content={}){let id=`${this.name}-${++this.count}`;return new Promise(
(resolve,reject)=>{this.waiting.set(id,{resolve,reject}),this.model.send({id,request,content})})}dispose(){this.model.off("msg:custom",this.heard),this.waiting.
clear()}heard=message=>{if(!isFields(message)||typeof message.id!="string")return;let waiting=this.waiting.get(message.id);this.waiting.delete(message.id),typeof message.
error=="string"?waiting?.reject(new Error(message.error)):waiting?.resolve(isFields(message.reply)?message.reply:{})};name=Math.random().toString(36).slice(2);waiting=new Map;count=0};
function isFields(value){return typeof value=="object"&&value!==null&&!Array.isArray(value)}function text(value){return typeof value=="string"?value:""}function number(value,otherwise=0){
return typeof value=="number"?value:otherwise}function list(value){return Array.isArray(value)?value:[]}var Decided=class{constructor(frame){this.frame=frame;this.body=make("div","",{},this.said,this.lines),this.stop.hidden=!0,frame.tools.append(this.stop),requestAnimationFrame(
()=>{let output=this.body.closest("[data-lexsi-focus]");output!==null&&(delete output.dataset.lexsiFocus,this.said.focus())})}frame;body;changed(state,controls2){
let phase=phaseOf(state),focused=controls2.some(control=>control===document.activeElement);for(let control of controls2)control.disabled=phase!=="open";let words=text(
state.said);return words!==this.said.textContent&&(this.said.textContent=words),this.said.className=phase==="done"?"lexsi-decided":phase==="open"?"lexsi-warning":
"lexsi-said",this.lines.textContent=list(state.lines).map(text).join(`
`),this.lines.hidden=this.lines.textContent==="",this.stop.hidden=phase!=="working",focused&&phase!=="open"&&this.said.focus(),phase}said=make("div","lexsi-said",
{role:"status",tabindex:"-1"});lines=make("pre","lexsi-lines");stop=button("Stop","Stop the run; what was made so far is kept",()=>{this.frame.ask("stop")})};function phaseOf(state){
let phase=text(state.phase);return phase==="working"||phase==="done"?phase:"open"}function approval(frame){return new ApprovalView(frame)}var ApprovalView=class{constructor(frame){this.frame=frame;let{state}=frame;this.decided=new Decided(frame);
let rows=list(state.rows).map(row2=>{let[heading,words]=list(row2).map(text);return make("tr","",{},make("th","",{scope:"row"},heading??""),make("td","",{},words??
""))});this.args.value=text(state.args),this.args.rows=Math.min(12,this.args.value.split(`
`).length+1);let reason=make("label","lexsi-quiet",{for:this.reason.id},"Reason (optional)");this.reason.addEventListener("keydown",event=>{event.key==="Enter"&&
this.decline()});let form=make("div","",{},this.args,make("div","lexsi-tools",{},this.change,this.wrong)),unfold=disclosure("Change arguments","Write other argu\
ments; they are asked about again",form);this.answers.append(make("div","lexsi-tools",{},this.yes,unfold),form,make("div","lexsi-tools",{},this.no,reason,this.reason)),
this.body.append(this.head,make("table","lexsi-rows",{},make("tbody","",{},...rows)),this.answers,this.decided.body),this.controls=[this.yes,this.no,this.change,
this.reason,this.args,unfold],this.changed(state)}frame;body=make("div","lexsi-card");changed(state){let phase=this.decided.changed(state,this.controls);this.head.
textContent=phase==="open"?"Approval needed. Nothing has run.":text(state.title),this.answers.hidden=phase==="done"}async decline(){this.no.disabled||await this.
frame.ask("decline",{reason:this.reason.value})}async ask(){let problem=problemOf(this.args.value);this.args.setAttribute("aria-invalid",String(problem!=="")),this.
wrong.textContent=problem,problem===""?await this.frame.ask("change",{args:this.args.value}):this.args.focus()}decided;controls;head=make("div","lexsi-title");answers=make(
"div","lexsi-answers");yes=button("Approve","Run it as it is shown",()=>{this.frame.ask("approve")});no=button("Decline","Do not run it; the planner is told why",
()=>{this.decline()});change=button("Ask again with these","They are shown once more before anything runs",()=>{this.ask()});wrong=make("span","lexsi-wrong",{id:unique(
"lexsi-wrong"),role:"alert"});reason=make("input","lexsi-reason",{id:unique("lexsi-field"),type:"text"});args=make("textarea","lexsi-args",{"aria-label":"Argume\
nts as JSON","aria-describedby":this.wrong.id,spellcheck:"false"})};function problemOf(written){try{let read=JSON.parse(written);return typeof read=="object"&&read!==
null&&!Array.isArray(read)?"":'The arguments are no JSON object. Write them as {"name": value}.'}catch(error){return`The arguments are no JSON: ${error instanceof
Error?error.message:String(error)}`}}function readingsOf(state){return list(state.options).filter(isFields).map(o=>({number:number(o.number),text:text(o.text),gives:text(o.gives),asks:o.asks===!0,keeps:text(
o.keeps)}))}function choice(frame){return new ChoiceView(frame)}var ChoiceView=class{constructor(frame){this.frame=frame;let{state}=frame;this.readings=readingsOf(
state),this.decided=new Decided(frame);let legend=make("legend","lexsi-title",{},text(state.title)),form=make("fieldset","lexsi-choice",{},legend,...this.readings.
map(r=>this.line(r))),keep=make("label","",{},this.keep,this.meaning);this.answers=make("div","lexsi-tools",{},this.take,keep),this.body=make("div","lexsi-card",
{},form,this.answers,this.decided.body),this.changed(state)}frame;body;changed(state){let phase=this.decided.changed(state,[...this.radios.values(),this.take,this.
keep]);this.chosen=number(state.chosen);for(let reading of this.readings){let radio=this.radios.get(reading.number);radio!==void 0&&(radio.checked=reading.number===
this.chosen,radio.disabled||=!reading.asks,radio.parentElement?.classList.toggle("lexsi-chosen",radio.checked))}let keeps=this.readings.find(r=>r.number===this.
chosen)?.keeps??"";this.meaning.textContent=keeps===""?"keep this meaning":`keep this meaning: ${keeps}`,this.keep.disabled||=keeps==="",this.answers.hidden=phase===
"done"}line(reading){let radio=make("input","",{type:"radio",name:this.name,value:String(reading.number)});radio.addEventListener("change",()=>{this.frame.ask("\
mark",{number:reading.number})}),radio.addEventListener("keydown",event=>{event.key==="Enter"&&this.answer()}),this.radios.set(reading.number,radio);let gives=reading.
gives===""?[]:[make("b","lexsi-gives",{},reading.gives)];return make("label","lexsi-reading",{},radio,make("span","",{},reading.text),...gives)}async answer(){if(!this.
take.disabled){let picked=[...this.radios].find(([,radio])=>radio.checked);await this.frame.ask("take",{number:picked?.[0]??this.chosen,keep:this.keep.checked})}}chosen=0;readings;decided;answers;name=unique(
"lexsi-reading");radios=new Map;keep=make("input","",{type:"checkbox"});meaning=make("span");take=button("Take this reading","Ask the reading that is marked",()=>{
this.answer()})};function controls(frame){return new ControlsView(frame)}var ControlsView=class{constructor(frame){this.frame=frame;let form=make("div","lexsi-tools",{role:"grou\
p","aria-label":"Values"});for(let field of list(frame.state.fields).filter(isFields)){let name=text(field.name),id=unique("lexsi-field"),kind=text(field.kind),
input=make("input","",{id,...kind==="number"?{type:"text",inputmode:"decimal"}:{type:kind}});input.addEventListener("keydown",event=>{event.key==="Enter"&&this.
ask()}),this.inputs.set(name,input),form.append(make("label","",{for:id},name),input)}form.append(this.run),this.body.append(make("div","lexsi-title",{},text(frame.
state.title)),form,this.answer),this.changed(frame.state)}frame;body=make("div");changed(state){for(let field of list(state.fields).filter(isFields)){let input=this.
inputs.get(text(field.name));input!==void 0&&(input.value=text(field.value))}this.answer.replaceChildren(fromKernel(text(state.html)))}async ask(){if(this.run.disabled)
return;this.run.disabled=!0;let values=Object.fromEntries([...this.inputs].map(([name,input])=>[name,input.value])),reply=await this.frame.ask("run",{values});this.
run.disabled=!1,reply!==void 0&&this.frame.announce(text(reply.answer))}inputs=new Map;answer=make("div");run=button("Run","Ask the same question with these val\
ues",()=>{this.ask()})};var SLOW=2e3,Frame=class{constructor(model,el){this.model=model;this.kernel=new Kernel(model),this.root.dataset.lmSuppressShortcuts="true",this.root.setAttribute(
"role","group"),this.root.setAttribute("aria-label",text(this.state.title)||"lexsi"),this.listing.hidden=!0;let foot=make("div","lexsi-tools",{},this.tools);this.
state.code===!0&&(this.code=this.showCode(),foot.append(this.code)),this.root.append(this.body,foot,this.said,this.heard,this.listing),el.append(this.root),model.
on("change:state",this.changed)}model;get state(){let state=this.model.get("state");return isFields(state)?state:{}}tools=make("div","lexsi-tools lexsi-own");show(view){
this.view=view,this.body.append(view.body)}async ask(request,content={}){this.waiting+=1,this.root.setAttribute("aria-busy","true");let slow=setTimeout(()=>this.
say("Waiting for the kernel."),SLOW);try{let reply=await this.kernel.ask(request,content);return this.say(""),reply}catch(error){this.say(error instanceof Error?
error.message:String(error));return}finally{clearTimeout(slow),this.waiting-=1,this.root.setAttribute("aria-busy",String(this.waiting>0))}}say(words){this.said.
textContent=words}announce(words){this.heard.textContent=words}dispose(){this.model.off("change:state",this.changed),this.kernel.dispose(),this.view?.dispose?.()}changed=()=>{
this.view?.changed?.(this.state),this.code!==void 0&&(this.code.hidden=this.state.code!==!0,this.listing.hidden||=this.code.hidden),this.listing.hidden||this.list()};showCode(){
let shown=button("Show code","Show the code cell for what is shown now",()=>{this.listing.hidden=!this.listing.hidden,shown.textContent=this.listing.hidden?"Sho\
w code":"Hide code",shown.setAttribute("aria-expanded",String(!this.listing.hidden)),this.listing.hidden||this.list()});return shown.setAttribute("aria-expanded",
"false"),shown}async list(){let cell=await this.ask("code");if(cell===void 0)return;let source=text(cell.source),copy=button("Copy","Copy the code",()=>{navigator.
clipboard.writeText(source).then(()=>this.say("Copied."),()=>this.say("The browser did not let the code be copied; select it instead."))}),head=make("div","lexs\
i-tools",{},make("span","lexsi-quiet",{},text(cell.title)),copy);this.listing.replaceChildren(head,make("pre","lexsi-source",{tabindex:"0"},source))}root=make("\
section","lexsi-live");body=make("div","lexsi-body");said=make("div","lexsi-said",{role:"status"});heard=make("div","lexsi-heard",{"aria-live":"polite"});listing=make(
"div","lexsi-listing");kernel;view;code;waiting=0};function progress(frame){let lines=make("pre","lexsi-lines"),stop=button("Stop","Stop the run; what was made so far is kept",()=>{frame.ask("stop")});frame.tools.
append(stop);let changed=state=>{lines.textContent=list(state.lines).map(text).join(`
`),stop.disabled=state.stopping===!0,stop.textContent=stop.disabled?"Stopping":"Stop"};return changed(frame.state),{body:lines,changed}}var style_default=String.raw`.lexsi-live {
--lexsi-text: var(--jp-ui-font-color1, var(--vscode-editor-foreground, CanvasText));
--lexsi-quiet: var(--jp-ui-font-color2, color-mix(in srgb, currentColor 70%, transparent));
--lexsi-line: var(--jp-border-color1, color-mix(in srgb, currentColor 35%, transparent));
--lexsi-fine: var(--jp-border-color2, color-mix(in srgb, currentColor 18%, transparent));
--lexsi-raised: var(--jp-layout-color2, color-mix(in srgb, currentColor 8%, transparent));
--lexsi-field: var(--jp-layout-color1, var(--vscode-input-background, Canvas));
--lexsi-focus: var(--jp-brand-color1, var(--vscode-focusBorder, Highlight));
--lexsi-raises: #e4842a;
--lexsi-lowers: #4c78a8;
box-sizing: border-box;
container-type: inline-size;
position: relative;
width: 100%;
padding: 4px 0;
font-family: var(--jp-ui-font-family, system-ui, sans-serif);
font-size: var(--jp-ui-font-size1, 13px);
line-height: 1.4;
color: var(--lexsi-text);
}
.lexsi-live [hidden] {
display: none !important;
}
.lexsi-tools {
display: flex;
flex-wrap: wrap;
align-items: center;
gap: 6px 8px;
margin: 6px 0;
}
.lexsi-own {
display: contents;
}
.lexsi-quiet {
color: var(--lexsi-quiet);
}
.lexsi-said:not(:empty) {
margin: 4px 0;
}
.lexsi-heard {
position: absolute;
width: 1px;
height: 1px;
overflow: hidden;
clip-path: inset(50%);
white-space: nowrap;
}
.lexsi-button {
min-height: 24px;
padding: 0 10px;
font: inherit;
color: inherit;
background: var(--lexsi-raised);
border: 1px solid var(--lexsi-line);
border-radius: 2px;
cursor: pointer;
}
.lexsi-button:hover:not(:disabled) {
border-color: var(--lexsi-focus);
}
.lexsi-button:disabled {
cursor: default;
opacity: 0.45;
}
.lexsi-live :is(button, input, select, textarea, pre, summary, [tabindex]):focus-visible {
outline: 2px solid var(--lexsi-focus);
outline-offset: 1px;
}
.lexsi-live :is(input:not([type='checkbox'], [type='radio'], [type='range']), select, textarea) {
box-sizing: border-box;
min-height: 24px;
padding: 0 6px;
font: inherit;
color: inherit;
background: var(--lexsi-field);
border: 1px solid var(--lexsi-line);
border-radius: 2px;
}
.lexsi-live .lexsi-source {
max-height: 320px;
margin: 2px 0 0;
padding: 6px 8px;
overflow: auto;
font-family: var(--jp-code-font-family, monospace);
font-size: var(--jp-code-font-size, 13px);
color: inherit;
background: var(--jp-cell-editor-background, var(--lexsi-raised));
border: 1px solid var(--lexsi-fine);
white-space: pre;
word-break: normal;
}
.lexsi-scroll {
overflow-x: auto;
}
.lexsi-live .lexsi-table {
border-collapse: collapse;
margin: 0;
font-size: inherit;
}
.lexsi-live .lexsi-table > :is(thead, tbody) > tr > :is(th, td) {
padding: 2px 12px 2px 4px;
text-align: left;
vertical-align: top;
white-space: nowrap;
background: none;
}
.lexsi-live .lexsi-table > thead > tr > th {
font-weight: 600;
vertical-align: bottom;
white-space: normal;
border-bottom: 1px solid var(--lexsi-line);
}
.lexsi-live .lexsi-table > tbody > tr {
background: none;
border-bottom: 1px solid var(--lexsi-fine);
}
.lexsi-live .lexsi-table > tbody > tr:hover,
.lexsi-live .lexsi-table > tbody > tr.lexsi-chosen {
background: var(--lexsi-raised);
}
.lexsi-live .lexsi-table .lexsi-number {
text-align: right;
font-variant-numeric: tabular-nums;
}
.lexsi-live .lexsi-table > tbody > tr > td.lexsi-wrapped {
max-width: 28em;
overflow: hidden;
text-overflow: ellipsis;
}
.lexsi-live .lexsi-table > tbody > tr > td.lexsi-note {
min-width: 10em;
white-space: normal;
}
.lexsi-live .lexsi-table > tbody > tr > td.lexsi-unfolded {
padding: 6px 4px 10px;
white-space: normal;
}
.lexsi-unfolded > div {
position: sticky;
left: 4px;
box-sizing: border-box;
width: min(60em, calc(100cqw - 12px));
overflow-x: auto;
}
.lexsi-sort {
padding: 0;
text-align: inherit;
font: inherit;
font-weight: 600;
color: inherit;
background: none;
border: none;
cursor: pointer;
}
.lexsi-sort::after {
content: '\2195';
display: inline-block;
width: 1em;
margin-left: 2px;
opacity: 0.35;
}
[aria-sort='ascending'] > .lexsi-sort::after {
content: '\2191';
opacity: 1;
}
[aria-sort='descending'] > .lexsi-sort::after {
content: '\2193';
opacity: 1;
}
.lexsi-filter {
display: flex;
gap: 2px;
}
.lexsi-live .lexsi-filter input {
width: 6.5em;
font-weight: 400;
}
.lexsi-live .lexsi-filter input.lexsi-words {
width: 9em;
}
.lexsi-html {
max-width: 100%;
overflow-x: auto;
}
.lexsi-html table {
color: inherit;
}
.lexsi-title {
margin: 0 0 6px;
font-weight: 600;
}
.lexsi-warning:not(:empty) {
margin: 0 0 6px;
padding-left: 8px;
border-left: 3px solid var(--lexsi-raises);
}
.lexsi-live [aria-invalid='true'] {
outline: 2px solid var(--jp-error-color1, #d13438);
}
.lexsi-card {
box-sizing: border-box;
max-width: 62em;
padding: 8px 12px;
border: 1px solid var(--lexsi-line);
border-radius: 4px;
}
.lexsi-live .lexsi-rows {
margin: 0 0 8px;
border-collapse: collapse;
font-size: inherit;
}
.lexsi-live .lexsi-rows :is(tr, th, td) {
padding: 2px 16px 2px 0;
text-align: left;
vertical-align: top;
font-weight: 400;
white-space: normal;
overflow-wrap: anywhere;
background: none;
}
.lexsi-live .lexsi-rows th {
color: var(--lexsi-quiet);
overflow-wrap: normal;
}
.lexsi-live .lexsi-args {
width: 100%;
padding: 6px 8px;
font-family: var(--jp-code-font-family, monospace);
font-size: var(--jp-code-font-size, 13px);
}
.lexsi-live .lexsi-reason {
flex: 0 1 24em;
}
.lexsi-wrong {
color: var(--jp-error-color1, #d13438);
}
.lexsi-decided {
padding-left: 8px;
border-left: 3px solid var(--lexsi-lowers);
font-weight: 600;
}
.lexsi-choice {
margin: 0;
padding: 0;
border: none;
}
.lexsi-reading {
display: flex;
gap: 8px;
align-items: center;
padding: 4px 8px;
border-bottom: 1px solid var(--lexsi-fine);
cursor: pointer;
}
.lexsi-reading.lexsi-chosen {
background: var(--lexsi-raised);
}
.lexsi-live :is(input[type='checkbox'], input[type='radio']) {
margin: 0 4px 0 0;
vertical-align: -2px;
}
.lexsi-reading > span {
flex: 1;
}
.lexsi-gives {
font-variant-numeric: tabular-nums;
}
.lexsi-picture {
display: block;
max-width: 100%;
zoom: 0.5;
}
.lexsi-live .lexsi-lines {
margin: 0;
font-family: var(--jp-code-font-family, monospace);
font-size: var(--jp-code-font-size, 13px);
color: inherit;
white-space: pre-wrap;
}
.lexsi-columns {
display: flex;
flex-wrap: wrap;
gap: 12px 32px;
}
.lexsi-columns > * {
min-width: 0;
max-width: 100%;
}
@container (max-width: 480px) {
.lexsi-live .lexsi-table > :is(thead, tbody) > tr > :is(th, td) {
padding-right: 6px;
}
.lexsi-button {
min-height: 32px;
}
}
`;function shap(frame){return new ShapView(frame)}var ShapView=class{constructor(frame){this.frame=frame;let state=frame.state,plots=list(state.plots).filter(isFields),
chosen=make("div","lexsi-tools",{role:"radiogroup","aria-label":"Picture"}),group=unique("lexsi-plot");for(let plot of plots){let radio=make("input","",{type:"r\
adio",name:group,value:text(plot.id)});radio.addEventListener("change",()=>{this.show({plot:radio.value})}),this.radios.push(radio),chosen.append(make("label","",
{},radio,` ${text(plot.label)}`))}let features=list(state.features).map(text);this.feature=this.select("feature","Feature",features,!1),this.by=this.select("by",
"coloured by",features,!0),this.one=this.select("case","Case",list(state.cases).map(text),!1),this.body.append(chosen,make("div","lexsi-tools",{},this.feature.label,
this.by.label,this.one.label)),this.body.append(make("div","lexsi-scroll",{},this.picture)),this.changed(state)}frame;body=make("div");changed(state){let plot=text(
state.plot);for(let radio of this.radios)radio.checked=radio.value===plot;this.feature.select.value=text(state.feature),this.by.select.value=text(state.by),this.
one.select.value=text(state.case),this.feature.label.hidden=this.by.label.hidden=plot!=="dependence",this.one.label.hidden=plot!=="waterfall",this.picture.alt=text(
state.alt),this.draw()}async draw(){let asked=++this.drawn;await new Promise(resolve=>setTimeout(resolve));let reply=await this.frame.ask("picture",{dark:isDark(
this.body)});reply!==void 0&&asked===this.drawn&&(this.picture.src=`data:image/png;base64,${text(reply.png)}`)}async show(change){await this.frame.ask("show",change)===
void 0&&this.changed(this.frame.state)}select(name,label,values,none){let options=[...none?[""]:[],...values].map(v=>make("option","",{value:v},v===""?"none":v)),
select=make("select","",{},...options);return select.addEventListener("change",()=>{this.show({[name]:select.value})}),{select,label:make("label","",{},`${label}\
 `,select)}}drawn=0;radios=[];feature;by;one;picture=make("img","lexsi-picture",{alt:""})};function isDark(node){let[red=0,green=0,blue=0]=(getComputedStyle(node).
color.match(/[\d.]+/g)??[]).map(Number);return .299*red+.587*green+.114*blue>128}function columnsOf(state){return list(state.columns).filter(isFields).map(c=>({at:number(c.at),name:text(c.name),kind:text(c.kind)}))}function queryOf(state){let query=isFields(
state.query)?state.query:{},sort=isFields(query.sort)?query.sort:void 0;return{sort:sort===void 0?null:{column:number(sort.column),descending:sort.descending===
!0},filters:list(query.filters).filter(isFields).map(f=>({column:number(f.column),..."contains"in f?{contains:text(f.contains)}:{low:text(f.low),high:text(f.high)}})),
offset:number(query.offset),names:text(query.names)}}function pageOf(state){let page=isFields(state.page)?state.page:{};return{rows:list(page.rows).filter(isFields).
map(r=>({place:number(r.place),name:text(r.name),cells:list(r.cells).map(text)})),matched:number(page.matched),total:number(page.total),size:number(page.size,25)}}
function nextSort(sort,column){return sort===null||sort.column!==column?{column,descending:!1}:sort.descending?null:{column,descending:!0}}function withFilter(filters,filter){
let others=filters.filter(f=>f.column!==filter.column);return[filter.contains,filter.low,filter.high].every(v=>v===void 0||v.trim()==="")?others:[...others,filter].
sort((a,b)=>a.column-b.column)}function placeInWords(page,offset){let say=n=>n.toLocaleString("en-US"),all=page.matched===page.total?"":` (${say(page.total)} wi\
thout filters)`;return page.matched===0?page.total===0?"no rows":`no row fits${all}`:`rows ${say(offset+1)} to ${say(offset+page.rows.length)} of ${say(page.matched)}${all}`}
function waitingInWords(query,total){return`${query.sort!==null?"sorting":query.filters.length>0?"filtering":"reading"} ${total.toLocaleString("en-US")} rows`}var PAUSE=250,LONG=400,LOOKS={number:"lexsi-number",note:"lexsi-note"};function table(frame){return new TableView(frame)}var TableView=class{constructor(frame){
this.frame=frame;let filters=disclosure("Filter","Show a filter under each column",this.filterRow);filters.addEventListener("click",()=>!this.filterRow.hidden&&
this.filterRow.querySelector("input")?.focus()),this.explainChosen.hidden=!0,this.body.append(make("div","lexsi-scroll",{tabindex:"0",role:"region","aria-label":"\
Table"},this.table()),this.selection),this.stop.hidden=!0,frame.tools.append(this.first,this.previous,this.place,this.stop,this.next,this.last,filters,this.columns()),
frame.tools.append(this.explainChosen),this.changed(frame.state)}frame;body=make("div");changed(state){let query=queryOf(state),page=pageOf(state),columns=columnsOf(
state),shape=JSON.stringify(columns);shape!==this.shape&&(this.shape=shape,this.drawHead(columns,query,state.explains===!0)),this.query=query;for(let head of this.
heads){let{sort}=query,order=sort?.column!==head.at?"none":sort.descending?"descending":"ascending";head.at>=0&&head.node.setAttribute("aria-sort",order)}this.drawRows(
page,columns,state.explains===!0),this.where=placeInWords(page,query.offset),this.place.textContent=this.where;let lastOffset=Math.max(0,Math.floor((page.matched-
1)/page.size)*page.size);this.first.disabled=this.previous.disabled=query.offset===0,this.next.disabled=this.last.disabled=query.offset>=lastOffset,this.page=page,
this.lastOffset=lastOffset}dispose(){clearTimeout(this.typing),clearTimeout(this.long)}table(){return make("table","lexsi-table",{"aria-label":text(this.frame.state.
title)},make("thead","",{},this.headRow,this.filterRow),this.rows)}columns(){let names=make("input","lexsi-words",{type:"search",placeholder:"columns named","ar\
ia-label":"Show columns whose name has"});return names.hidden=this.frame.state.wide!==!0,names.addEventListener("input",()=>this.soon({names:names.value})),names}drawHead(columns,query,explains){
this.heads=columns.map(column=>{if(column.kind==="note")return{at:column.at,node:make("th","",{scope:"col"},column.name)};let sort=button(column.name,`Sort by ${column.
name}`,()=>{this.ask({sort:nextSort(this.query.sort,column.at),offset:0})});sort.className="lexsi-sort";let node=make("th",column.kind==="number"?"lexsi-number":
"",{scope:"col"},sort);return{at:column.at,node}});let blank=()=>make("td");this.headRow.replaceChildren(...explains?[make("th","",{"aria-label":"Chosen"}),make(
"th","",{"aria-label":"Explanation"})]:[],...this.heads.map(h=>h.node)),this.filterRow.replaceChildren(...explains?[blank(),blank()]:[],...columns.map(c=>make("\
td","",{},this.filter(c,query.filters.find(f=>f.column===c.at)))))}filter(column,now){if(column.kind==="note")return make("div");let field=(label,value,name)=>{
let made2=make("input",name,{type:"text",placeholder:label,"aria-label":`${column.name} ${label}`});return made2.value=value,made2};if(column.kind==="number"||column.
kind==="date"){let low=field("from",now?.low??"",""),high=field("to",now?.high??"",""),send=()=>this.filtered({column:column.at,low:low.value,high:high.value});
return low.addEventListener("input",send),high.addEventListener("input",send),make("div","lexsi-filter",{},low,high)}let words=field("contains",now?.contains??"",
"lexsi-words");return words.addEventListener("input",()=>this.filtered({column:column.at,contains:words.value})),make("div","lexsi-filter",{},words)}filtered(filter){
this.filters=withFilter(this.filters??this.query.filters,filter),this.soon({filters:this.filters})}drawRows(page,columns,explains){let drawn=page.rows.map(row2=>{
let cells=row2.cells.map((cell,i)=>{let look=LOOKS[columns[i]?.kind??""]??"lexsi-wrapped";return make("td",look,cell.length>40?{title:cell}:{},cell)}),line=make(
"tr","",{},...cells);if(explains){let both=[this.choose(row2.place,row2.name,line),this.explain(row2.place,row2.name,line)];line.prepend(...both.map(control=>make(
"td","",{},control)))}return line});this.rows.replaceChildren(...drawn)}choose(place,name,line){let box=make("input","",{type:"checkbox","aria-label":`Choose ${name}`}),
mark=()=>{line.classList.toggle("lexsi-chosen",box.checked)};return box.checked=this.chosen.has(place),mark(),box.addEventListener("change",()=>{box.checked?this.
chosen.add(place):this.chosen.delete(place),mark(),this.explainChosen.hidden=this.chosen.size===0,this.explainChosen.textContent=`Explain ${this.chosen.size} ch\
osen`}),box}explain(place,name,line){let id=unique("lexsi-why"),why=button("Explain",`What moved the score of ${name}`,()=>{unfold()});why.setAttribute("aria-la\
bel",`Explain ${name}`),why.setAttribute("aria-expanded","false");let unfolded,unfold=async()=>{if(unfolded!==void 0){unfolded.remove(),unfolded=void 0,why.setAttribute(
"aria-expanded","false");return}let reply=await this.frame.ask("explain",{places:[place]});if(reply===void 0||unfolded!==void 0||!line.isConnected)return;let cell=make(
"td","lexsi-unfolded",{colspan:String(line.children.length)},fromKernel(text(reply.html)));unfolded=make("tr","",{id},cell),line.after(unfolded),why.setAttribute(
"aria-expanded","true"),why.setAttribute("aria-controls",id),this.frame.announce(text(reply.sentence))};return why}async explainSelection(){let reply=await this.
frame.ask("explain",{places:[...this.chosen]});if(reply!==void 0){let close=button("Close","Close the explanation",()=>this.selection.replaceChildren());this.selection.
replaceChildren(fromKernel(text(reply.html)),close),this.frame.announce(text(reply.sentence))}}soon(change){clearTimeout(this.typing),this.pending={...this.pending,
...change},this.typing=setTimeout(()=>{let pending=this.pending;this.pending={},this.filters=void 0,this.ask({...pending,offset:0})},PAUSE)}async ask(change){let query={
...this.query,...change},number2=++this.asked;clearTimeout(this.long),this.long=setTimeout(()=>{this.place.textContent=waitingInWords(query,this.page.total),this.
stop.hidden=!1},LONG),await this.frame.ask("page",query),number2===this.asked&&(clearTimeout(this.long),this.stop.hidden=!0,this.place.textContent=this.where)}go(label,title,to){
return button(label,title,()=>{this.ask({offset:to()})})}query={sort:null,filters:[],offset:0,names:""};page={rows:[],matched:0,total:0,size:25};heads=[];filters;pending={};typing;long;asked=0;where="";shape="";lastOffset=0;chosen=new Set;headRow=make(
"tr");filterRow=make("tr");rows=make("tbody");selection=make("div","lexsi-selection",{"aria-live":"polite"});place=make("span","lexsi-quiet",{"aria-live":"polit\
e"});first=this.go("First","First rows",()=>0);previous=this.go("Previous","Rows before",()=>Math.max(0,this.query.offset-this.page.size));next=this.go("Next","\
Rows after",()=>this.query.offset+this.page.size);last=this.go("Last","Last rows",()=>this.lastOffset);stop=button("Stop","Leave the table as it is",()=>{this.frame.
ask("stop")});explainChosen=button("Explain chosen","What moved the scores of the chosen rows",()=>{this.explainSelection()})};function fieldsOf(state){return list(state.fields).filter(isFields).map(f=>({feature:text(f.feature),kind:text(f.kind),own:text(f.own),shown:text(f.shown),value:text(
f.value),changed:f.changed===!0,unused:f.unused===!0,words:list(f.words).map(text)}))}function whatIf(frame){return new WhatIfView(frame)}var WhatIfView=class{constructor(frame){
this.frame=frame;let title=make("div","lexsi-title",{},text(frame.state.title)),head=make("thead","",{},row("th","feature","as it is","what if")),form=make("tab\
le","lexsi-table",{"aria-label":"Values"},head,this.rows);this.body.append(make("div","",{},title,make("div","lexsi-scroll",{},form),this.more),make("div","",{},
this.score,this.beyond,this.moved,make("div","lexsi-quiet",{},text(frame.state.note)))),frame.tools.append(this.reset),this.changed(frame.state)}frame;body=make(
"div","lexsi-columns");changed(state){let fields=fieldsOf(state),shape=fields.map(f=>f.feature).join(`
`);shape!==this.shape&&(this.shape=shape,this.inputs.clear(),this.rows.replaceChildren(...fields.map(f=>this.line(f))));for(let field of fields){let input=this.
inputs.get(field.feature);input!==void 0&&!(input===document.activeElement&&input instanceof HTMLInputElement)&&(input.value=field.value,input.removeAttribute("\
aria-invalid")),input?.closest("tr")?.classList.toggle("lexsi-chosen",field.changed)}this.score.textContent=text(state.sentence);let beyond=list(state.beyond).map(
text);this.beyond.textContent=beyond.length===0?"":`Outside of what was learned from: ${beyond.join("; ")}.`,this.moved.replaceChildren(fromKernel(text(state.html))),
this.reset.disabled=state.changed===0,this.drawMore(list(state.others).map(text))}line(field){let input=this.input(field);this.inputs.set(field.feature,input),input.
addEventListener("change",()=>{this.change(field.feature,input)});let label=make("label","",{for:input.id},field.feature),name=make("td","",{},label);return field.
unused&&name.append(make("span","lexsi-quiet",{}," (the model does not use it)")),make("tr","",{},name,make("td","lexsi-number",{},field.shown),make("td","",{},
input))}input(field){let id=unique("lexsi-field"),choices=field.kind==="truth"?["yes","no"]:field.words;if(choices.length>0){let options=["",...choices].map(c=>make(
"option","",{value:c},c===""?"missing":c)),select=make("select","",{id},...options);return select.value=field.value,select}let mode=field.kind==="number"?{inputmode:"\
decimal"}:{},input=make("input","",{id,type:"text",placeholder:"missing",size:"12",...mode});return input.value=field.value,input}async change(feature,input){let reply=await this.
frame.ask("change",{feature,value:input.value});input.setAttribute("aria-invalid",String(reply===void 0)),reply!==void 0&&this.frame.say(text(reply.sentence))}drawMore(others){
if(others.join(`
`)===this.others||(this.others=others.join(`
`),this.more.replaceChildren(),others.length===0))return;let options=["",...others].map(o=>make("option","",{value:o},o===""?"another feature":o)),select=make("\
select","",{"aria-label":"Change another feature"},...options);select.addEventListener("change",()=>{select.value!==""&&this.frame.ask("add",{feature:select.value})}),
this.more.append(select)}shape="";others="";inputs=new Map;rows=make("tbody");more=make("div","lexsi-tools");score=make("div","lexsi-title",{"aria-live":"polite"});beyond=make(
"div","lexsi-warning",{role:"status"});moved=make("div");reset=button("Reset","Put back the values of the case",()=>{this.frame.ask("reset")})};function row(tag,...cells){
return make("tr","",{},...cells.map(c=>make(tag,"",tag==="th"?{scope:"col"}:{},c)))}var VIEWS={table,"what-if":whatIf,shap,progress,controls,choice,approval};function render({model,el}){addStyle();let frame=new Frame(model,el),build=VIEWS[text(
model.get("kind"))];return build===void 0?frame.say("This widget was made by another version of lexsi-nb."):frame.show(build(frame)),()=>frame.dispose()}function addStyle(){
let id="lexsi-live-style";document.getElementById(id)===null&&document.head.append(make("style","",{id},style_default))}export{render};
