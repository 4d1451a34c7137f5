import { AppError } from '../kernel/app-error';

export function noConnection(): AppError {
  return new AppError('not_found', 'there is no such connection');
}

export function noCredential(): AppError {
  return new AppError('not_found', 'there is no credential with this id');
}
