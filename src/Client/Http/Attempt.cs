namespace Raven.Client.Http;

/// <summary>The outcome of asking one server: a result, or the reason why another may be asked.</summary>
internal readonly record struct Attempt<TResult>(TResult? Result, RequestFailure? Failure);
