import { chromium } from '@playwright/test';import sparticuz from '@sparticuz/chromium';
const B='http://127.0.0.1:3997';
const out='/tmp/au/shots/';
const list=(await (await fetch(B+'/debates')).json()).data.debates; const id=list[0].id; console.log(list[0].state);
const b=await chromium.launch({executablePath:await sparticuz.executablePath(),args:['--no-sandbox','--disable-gpu']});
const tag=process.argv[2]||'a';
for(const [name,vp,theme,mobile] of [['desk-light',{width:1440,height:900},'light'],['desk-dark',{width:1440,height:900},'dark'],['phone-light',{width:390,height:844},'light',true],['phone-dark',{width:390,height:844},'dark',true]]){
 const c=await b.newContext({viewport:vp,colorScheme:theme,hasTouch:!!mobile,isMobile:!!mobile,deviceScaleFactor:1});
 const p=await c.newPage();
 const shot=async n=>{await p.waitForTimeout(700);await p.screenshot({path:out+tag+'-'+n+'-'+name+'.png'})};
 await p.goto(B+'/');await p.waitForLoadState('networkidle').catch(()=>{});await shot('inbox');
 await p.goto(B+'/d/'+id);await p.waitForTimeout(1000);await shot('debate');
 await p.keyboard.press('i');await shot('issues');await p.keyboard.press('Escape');
 await p.goto(B+'/d/'+id);await p.waitForTimeout(800);await p.keyboard.press('p');await shot('plan');
 await p.goto(B+'/d/'+id+'?record');await p.waitForTimeout(1000);await shot('record');
 await c.close();
}
await b.close();
