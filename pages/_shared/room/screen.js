// What a phone says in each phase, independent of the page.

import { looks } from "../stage/room/shapes.js";
import { MARKS, inDigits } from "../stage/room/tally.js";

const REASONS = /** @type {Record<string, string>} */ ({
  wrong: "There is no room with this code. Check the code on the wall.",
  over: "This room is over. Thank you for taking part.",
  often: "Too many wrong codes have come from your network. This page tries again by itself.",
  full: "This room is full. This page tries again by itself.",
  unread: "This page is older than the server. Load it again.",
});

/** @param {string} why the server's reason for refusing the connection */
export const reason = (why) => REASONS[why] ?? REASONS.unread;

/** Return the vote of the current round. @param {any} told the state of the room and of this phone */
export const voteOf = ({ room, mine }) => mine.votes[room.round - 1];

/** Write an answer as the phone shows it. @param {any} question @param {any} answer */
export function answerInWords(question, answer) {
  if (question.way === "buttons") return `${MARKS[answer]}, ${question.options[answer]}`;
  if (question.way === "draw") return "the drawing in the picture";
  return question.way === "number" ? String(answer) : "the ring in the picture";
}

/**
 * Say what the phone's user should know now.
 * @param {any} told the state of the room and of this phone
 * @returns {{text: string, look?: "right" | "wrong"}}
 */
export function said(told) {
  const { room, mine } = told;
  const { question, phase, round } = room;
  const vote = question && voteOf(told);
  const chosen = vote === null || vote === undefined ? "" : answerInWords(question, vote);
  if (question?.way === "draw") return saidOfDrawing(told, Boolean(chosen));
  if (phase === "revealed") return { text: verdict(room, mine), look: mine.chosen === undefined ? undefined : mine.right ? "right" : "wrong" };
  if (phase === "closed" && round === 1) {
    const own = chosen ? `Your answer: ${chosen}. ` : "You have not answered. ";
    return { text: `The vote is closed. ${own}Find someone who chose differently, and give your reasons.` };
  }
  if (phase === "closed") return { text: `The vote is closed.${chosen ? ` Your answer: ${chosen}.` : ""} Watch the wall.` };
  if (phase === "lobby") return { text: "You are in. The next question comes here by itself." };
  if (chosen) return { text: `Your answer: ${chosen}. You can change it until the vote is closed.` };
  if (round === 1) return { text: "Choose your answer." };
  const before = mine.votes[0];
  return { text: `Vote again.${before === null ? "" : ` Your first answer: ${answerInWords(question, before)}.`}` };
}

/** Say what the phone's user should know of a drawing now. @param {any} told @param {boolean} drawn whether the phone has one */
function saidOfDrawing({ room, mine }, drawn) {
  const { question, phase, revealed, round } = room;
  const draw = round === 2 ? "Draw again." : "Drag the handles to where you want them.";
  if (phase.startsWith("asking")) return { text: drawn ? "Your drawing is in. You can change it until drawing is closed." : draw };
  if (phase === "closed") return { text: `Drawing is closed.${drawn ? "" : " You have not drawn."} Watch the wall.` };
  if (!revealed) return { text: "Watch the wall." };
  const of = (/** @type {number | null | undefined} */ cost) => (typeof cost === "number" ? inDigits(cost) : "unknown");
  const own = drawn ? ` Yours: ${of(mine.cost)}.` : "";
  return { text: `${capital(question.measure)}:${own} Best in the room: ${of(revealed.room)}. The algorithm's, ${looks(question.shape)[2]}: ${of(revealed.least)}.` };
}

/** @param {string} words */
const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** @param {any} room @param {any} mine */
function verdict({ revealed }, { chosen, right }) {
  if (chosen === undefined) return `It was: ${revealed.right}.`;
  return right ? `✓ Right: ${revealed.right}.` : `✕ It was: ${revealed.right}. Your answer: ${chosen}.`;
}

/** @param {any} mine what the room knows of this phone */
export function scoreInWords({ score }) {
  return score?.[1] ? `You were right in ${score[0]} of ${score[1]}.` : "";
}

/** Write the seconds that are left. @param {number} milliseconds */
export const leftInWords = (milliseconds) => `${Math.max(0, Math.ceil(milliseconds / 1000))} s`;
