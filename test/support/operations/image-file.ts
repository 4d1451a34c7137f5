import { DockerfileParser, type Instruction, ModifiableInstruction } from 'dockerfile-ast';

/** A step of a Dockerfile that creates files, or sets the folder or the user of the following steps. */
export interface ImageStep {
  readonly line: number;
  readonly keyword: string;
  readonly words: readonly string[];
  /** For `RUN`: the script for the shell. */
  readonly script: string;
  /** For `COPY`: the stage to copy from; undefined: the build context. */
  readonly from: string | undefined;
}

export interface ImageStage {
  readonly name: string | undefined;
  readonly base: string;
  readonly steps: ImageStep[];
  readonly environment: Record<string, string>;
  /** Words of `CMD` and `HEALTHCHECK`, which must be in exec form (a JSON array, run without a shell). */
  command: readonly string[];
  healthcheck: readonly string[];
  volumes: readonly string[];
}

/** The flags that each instruction may have. The replay of the Dockerfile applies or ignores them. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  COPY: ['from'],
  HEALTHCHECK: ['interval', 'timeout', 'start-period'],
};

/**
 * Returns the stages of a Dockerfile; the last stage is the image.
 * @throws Error for anything that a replay does not support, so that nothing is ignored silently
 */
export function imageStages(text: string): ImageStage[] {
  const stages: ImageStage[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const words = instruction.getArguments().map((word) => word.getValue());
    const stage = stages.at(-1);
    if (instruction.getKeyword() === 'FROM') stages.push(stageOf(words));
    else if (stage === undefined) throw new Error(`before the first FROM: ${instruction.toString()}`);
    else add(stage, instruction, words);
  }
  return stages;
}

function stageOf([base = '', , name]: string[]): ImageStage {
  return { name, base, steps: [], environment: {}, command: [], healthcheck: [], volumes: [] };
}

function add(stage: ImageStage, instruction: Instruction, words: string[]): void {
  const keyword = instruction.getKeyword();
  const flags = instruction instanceof ModifiableInstruction ? instruction.getFlags() : [];
  const content = instruction.getArgumentsContent() ?? '';
  for (const flag of flags)
    if (FLAGS[keyword]?.includes(flag.getName()) !== true) throw new Error(`unknown: ${flag.toString()}`);
  switch (keyword) {
    case 'RUN':
    case 'COPY':
    case 'WORKDIR':
    case 'USER': {
      const from = flags.find((flag) => flag.getName() === 'from')?.getValue() ?? undefined;
      const line = instruction.getRange().start.line + 1;
      stage.steps.push({ line, keyword, words, script: content, from });
      break;
    }
    case 'ENV':
      for (const word of words) {
        const [name = '', value = ''] = word.split(/=(.*)/s);
        stage.environment[name] = value;
      }
      break;
    case 'VOLUME':
      stage.volumes = words;
      break;
    case 'CMD':
      stage.command = JSON.parse(content) as string[];
      break;
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(content.slice('CMD'.length)) as string[];
      break;
    case 'EXPOSE':
      break;
    default:
      throw new Error(`the replay does not know how to do this: ${instruction.toString()}`);
  }
}
