namespace Raven.Client.Documents.Operations.CompareExchange;

/// <summary>The outcome of an attempt to change a compare-exchange value.</summary>
/// <param name="Successful">Whether it was changed.</param>
/// <param name="Index">The index that is there now.</param>
/// <param name="Value">The value that is there now.</param>
public sealed record CompareExchangeResult<T>(bool Successful, long Index, T? Value);
