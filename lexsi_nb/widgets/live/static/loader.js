var i=globalThis,o=i.lexsiLive??=new Map;async function a(e){let n=URL.createObjectURL(new Blob([e],{type:"text/javascript"}));try{return await import(n)}finally{
URL.revokeObjectURL(n)}}async function d({model:e}){let n=String(e.get("held")).replace(/^IPY_MODEL_/,""),r=String((await e.widget_manager.get_model(n)).get("so\
urce")),t=o.get(r);return t===void 0&&(t=a(r),o.set(r,t)),t}var s={async render(e){return(await d(e)).render(e)}};export{s as default};
