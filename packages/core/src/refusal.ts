/** Something the user asked for cannot be done; the message is for them. The status is HTTP's, for those who answer so. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
