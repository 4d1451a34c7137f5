import { AppError } from '../../kernel/app-error';

export function connectionNotFound(): AppError {
  return new AppError('not_found', 'there is no such connection');
}

export function credentialNotFound(): AppError {
  return new AppError('not_found', 'there is no credential with this id');
}
