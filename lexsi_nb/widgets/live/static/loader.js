var shared=globalThis,modules=shared.lexsiLive??=new Map;async function imported(source){let url=URL.createObjectURL(new Blob([source],{type:"text/javascript"}));
try{return await import(url)}finally{URL.revokeObjectURL(url)}}async function moduleOf({model}){let id=String(model.get("held")).replace(/^IPY_MODEL_/,""),source=String(
(await model.widget_manager.get_model(id)).get("source")),module=modules.get(source);return module===void 0&&(module=imported(source),modules.set(source,module)),
module}var loader_default={async render(context){return(await moduleOf(context)).render(context)}};export{loader_default as default};
