/**
 * Challenge pages. They are self-contained and also work over plain HTTP, where browsers offer no crypto API: hence the
 * small SHA-256 in the page. Digits and the slider's ring are pixels of a picture, never text. For visitors who cannot
 * see the picture, the browser does more work instead.
 */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { Language } from '../lib/accept.ts'
import { unseenAnswer, unseenBitsMin } from '../lib/challenge-price.ts'
import { codeImage, sliderImage } from './challenge-pictures.ts'
import { page } from './page.ts'
import { type Phrases, phrases } from './phrases.ts'

/**
 * A page as it is sent: the parts that all pages of a mode and language share. The parts of the single page go in
 * between.
 */
type Shell = { picture: string; token: string; reference: string; end: string; length: number }

/** SHA-256 of ASCII text, and the search for a number whose hash begins with enough zero bits. */
const script = `var H=[],K=[];(function(){var c={},n=2,i;while(K.length<64){if(!c[n]){for(i=0;i<313;i+=n)c[i]=1;if(H.length<8)H.push(Math.pow(n,.5)*4294967296|0);K.push(Math.pow(n,1/3)*4294967296|0)}n++}})();
function R(v,a){return v>>>a|v<<32-a}
function sha(s){var l=s.length,N=(l+8>>6)+1,W=[],h=H.slice(),i,j;for(i=0;i<N*16;i++)W[i]=0;for(i=0;i<l;i++)W[i>>2]|=s.charCodeAt(i)<<24-8*(i&3);W[l>>2]|=128<<24-8*(l&3);W[N*16-1]=l*8;for(j=0;j<N;j++){var w=W.slice(j*16,j*16+16),q=h.slice();for(i=0;i<64;i++){if(i>15){var a=w[i-15],b=w[i-2];w[i]=(w[i-16]+(R(a,7)^R(a,18)^a>>>3)+w[i-7]+(R(b,17)^R(b,19)^b>>>10))|0}var e=q[4],x=q[0],t=(q[7]+(R(e,6)^R(e,11)^R(e,25))+(e&q[5]^~e&q[6])+K[i]+w[i])|0,u=((R(x,2)^R(x,13)^R(x,22))+(x&q[1]^x&q[2]^q[1]&q[2]))|0;q=[(t+u)|0,x,q[1],q[2],(q[3]+t)|0,e,q[5],q[6]]}for(i=0;i<8;i++)h[i]=(h[i]+q[i])|0}return h}
var started=Date.now(),proof=null,said=null,n=0;
function work(){for(var i=0;i<3000;i++){if(sha(T+":"+n)[0]>>>32-B===0){proof=n;return done()}n++}setTimeout(work,0)}
function done(){if(proof===null||said===null)return;var rest=W0-(Date.now()-started);if(rest>0)return setTimeout(done,rest+50);var r=new XMLHttpRequest();r.open("POST",P);r.setRequestHeader("Content-Type","application/x-www-form-urlencoded");r.onloadend=function(){location.replace(location.href)};r.send("t="+T+"&n="+proof+"&a="+said)}
setTimeout(work,0);`

/** A placeholder for what differs per page; the page is split there. It occurs in no phrase and no script. */
const cut = '\0'

/**
 * What the visitor has to do, and the script that notices it. `said` is the page's answer. The picture is a
 * placeholder.
 */
function task(mode: number, words: Phrases): { html: string; code: string } {
  const button = `<p><button id="go" type="submit">${words.go}</button></p>`
  const onSubmit = (value: string): string =>
    `document.forms[0].onsubmit=function(e){e.preventDefault();document.getElementById("go").disabled=true;said=${value};done()};`
  const unseen = `<p><button id="un" type="button" class="quiet">${words.unseen}</button></p><p id="uw" role="status" hidden>${words.unseenWhy}</p>`
  const onUnseen = `var un=document.getElementById("un");un.onclick=function(){un.disabled=true;document.getElementById("go").disabled=true;document.getElementById("uw").hidden=false;said="${unseenAnswer}";B=Math.max(${unseenBitsMin},B+2);if(proof!==null){proof=null;setTimeout(work,0)}};`
  if (mode === 2) {
    const picture = `<img alt="" width="288" height="80" src="data:image/bmp;base64,${cut}">`
    const input = `<p><label>${words.code}<br><input id="a" inputmode="numeric" maxlength="5" autocomplete="off" required autofocus></label></p>`
    return {
      html: `<form>${picture}${input}${button}${unseen}</form>`,
      code: onSubmit('document.getElementById("a").value.replace(/[^0-9]/g,"")') + onUnseen,
    }
  }
  if (mode === 3) return { html: `<form><p>${words.click}${cut}</p>${button}</form>`, code: onSubmit('""') }
  if (mode === 5) {
    const picture = `<svg viewBox="0 0 320 200" width="320" height="200" aria-hidden="true"><image width="320" height="200" href="data:image/bmp;base64,${cut}"/><circle id="dot" cx="0" cy="0" r="7" fill="#3d8bfd" stroke="#fff" stroke-width="2"/></svg>`
    const slider = (id: string, label: string, max: number): string =>
      `<p><label>${label}<input id="${id}" type="range" min="0" max="${max}" value="0"></label></p>`
    const follow = (id: string, attribute: string): string =>
      `document.getElementById("${id}").oninput=function(){document.getElementById("dot").setAttribute("${attribute}",this.value)};`
    return {
      html: `<form><p>${words.slide}</p>${picture}${slider('a', words.across, 320)}${slider('b', words.down, 200)}${button}${unseen}</form>`,
      code:
        follow('a', 'cx') +
        follow('b', 'cy') +
        onSubmit('document.getElementById("a").value+","+document.getElementById("b").value') +
        onUnseen,
    }
  }
  const waits = `<p>${words.checkingWhy}${cut}</p><progress aria-label="${words.checking}"></progress>`
  return { html: waits, code: 'said="";' }
}

function makeShell(language: Language, mode: number, waitMs: number): Shell {
  const words = phrases[language]
  const { html, code } = task(mode, words)
  const constants = `var T="${cut}",B=+T.split(".")[3],W0=${waitMs},P="${answerPath}";`
  const noScript = `<noscript><p>${words.needsScript}</p></noscript>`
  const shown = `<dl><dt>${words.reference}</dt><dd>${cut}</dd></dl>`
  const body = `${html}${noScript}<script>${constants}${script}${code}</script>${shown}`
  const [picture, token, reference, end] = page(language, words.checking, body).split(cut)
  const length = picture!.length + token!.length + reference!.length + end!.length
  return { picture: picture!, token: token!, reference: reference!, end: end!, length }
}

/**
 * Built with the first page of a mode and language, and then reused: during a flood, building pages would cost too
 * much.
 */
const shells: Record<Language, Record<number, Shell>> = { en: {}, 'zh-CN': {}, 'zh-TW': {} }

/**
 * The page of a mode in pieces, and their total length. `answer` is the expected answer: drawn as a picture, never as
 * text.
 */
export function challengePieces(
  language: Language,
  mode: number,
  waitMs: number,
  answer: string,
  token: string,
  reference: string,
): { pieces: string[]; length: number } {
  const made = shells[language]
  made[mode] ??= makeShell(language, mode, waitMs)
  const shell = made[mode]!
  const picture = mode === 2 ? codeImage(answer) : mode === 5 ? sliderImage(answer) : ''
  const pieces = [shell.picture, picture, shell.token, token, shell.reference, reference, shell.end]
  return { pieces, length: shell.length + picture.length + token.length + reference.length }
}
