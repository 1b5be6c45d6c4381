namespace Raven.Client.Http;

/// <summary>
/// The outcome of a request to one server: a result, or the failure after which another server may be tried.
/// </summary>
internal readonly record struct Attempt<TResult>(TResult? Result, RequestFailure? Failure);
