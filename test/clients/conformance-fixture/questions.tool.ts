import { Injectable } from '@nestjs/common';
import { inputRequired, listRoots, type McpCaller, McpTool, type ToolRun } from '#libs/mcp';
import { answerOf, ask, askName, CONFIRM, GREETING } from './questions.js';
import { tool } from './fixture-options.js';

/** Tools that ask the user before they answer. */
@Injectable()
export class QuestionsTool {
  @McpTool(tool('test_input_required_result_elicitation'))
  elicitation(_input: object, _caller: McpCaller, run: ToolRun) {
    const name = answerOf(run, 'user_name', 'name');
    if (typeof name !== 'string')
      return inputRequired({ user_name: askName('What is your name?') });
    return `Hello, ${name}!`;
  }

  @McpTool(tool('test_input_required_result_sampling'))
  sampling(_input: object, _caller: McpCaller, { inputResponses }: ToolRun) {
    const question = ask('What is the capital of France?');
    const answer = inputResponses['capital_question'];
    return answer ? JSON.stringify(answer) : inputRequired({ capital_question: question });
  }

  @McpTool(tool('test_input_required_result_list_roots'))
  roots(_input: object, _caller: McpCaller, { inputResponses }: ToolRun) {
    const roots = inputResponses['client_roots'];
    return roots ? JSON.stringify(roots) : inputRequired({ client_roots: listRoots() });
  }

  @McpTool(tool('test_input_required_result_request_state'))
  state(_input: object, _caller: McpCaller, { requestState }: ToolRun) {
    return requestState === 'asked' ? 'state-ok' : inputRequired({ confirm: CONFIRM }, 'asked');
  }

  @McpTool(tool('test_input_required_result_tampered_state'))
  tampered(input: object, caller: McpCaller, run: ToolRun) {
    return this.state(input, caller, run);
  }

  @McpTool(tool('test_input_required_result_multiple_inputs'))
  several(_input: object, _caller: McpCaller, { inputResponses, requestState }: ToolRun) {
    if (requestState === 'asked') return JSON.stringify(inputResponses);
    const questions = { user_name: askName('Who are you?'), greeting: GREETING };
    return inputRequired({ ...questions, client_roots: listRoots() }, 'asked');
  }

  @McpTool(tool('test_input_required_result_multi_round'))
  rounds(_input: object, _caller: McpCaller, run: ToolRun) {
    const { requestState } = run;
    if (requestState === undefined) {
      return inputRequired({ step1: askName('Step 1: What is your name?') }, 1);
    }
    if (requestState === 1) {
      return inputRequired({ step2: askName('Step 2: Whom do you like?') }, 2);
    }
    return 'done';
  }

  @McpTool(tool('test_input_required_result_capabilities'))
  capabilities(_input: object, _caller: McpCaller, { clientCapabilities }: ToolRun) {
    return inputRequired({
      ...(clientCapabilities?.elicitation && { confirm: CONFIRM }),
      ...(clientCapabilities?.sampling && { greeting: GREETING }),
    });
  }

  @McpTool(tool('test_missing_capability'))
  missing() {
    return inputRequired({ greeting: GREETING });
  }

  @McpTool(tool('test_streaming_elicitation'))
  streaming() {
    return inputRequired({ confirm: CONFIRM });
  }
}
