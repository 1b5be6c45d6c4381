namespace Raven.Client.Http;

/// <summary>What came of asking one server: a result, or the reason why another may be asked.</summary>
internal readonly record struct Attempt<TResult>(TResult? Result, RequestFailure? Failure);
