namespace Raven.Client.Documents.Operations.CompareExchange;

/// <summary>A value that can be changed only with its current index.</summary>
/// <param name="Key">Its key.</param>
/// <param name="Index">Rises with every change; 0 for one that must not exist.</param>
/// <param name="Value">The value.</param>
public sealed record CompareExchangeValue<T>(string Key, long Index, T? Value);

/// <summary>The outcome of an attempt to change a compare-exchange value.</summary>
/// <param name="Successful">Whether it was changed.</param>
/// <param name="Index">The index that is there now.</param>
/// <param name="Value">The value that is there now.</param>
public sealed record CompareExchangeResult<T>(bool Successful, long Index, T? Value);
