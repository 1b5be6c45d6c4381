namespace Raven.Client.Documents.Operations.CompareExchange;

/// <summary>A compare-exchange value: it is changed only if its index is the expected one.</summary>
/// <param name="Key">Its key.</param>
/// <param name="Index">The index, which rises with every change; 0 for a value that must not exist.</param>
/// <param name="Value">The value.</param>
public sealed record CompareExchangeValue<T>(string Key, long Index, T? Value);

/// <summary>The outcome of an attempt to change a compare-exchange value.</summary>
/// <param name="Successful">Whether it was changed.</param>
/// <param name="Index">The current index.</param>
/// <param name="Value">The current value.</param>
public sealed record CompareExchangeResult<T>(bool Successful, long Index, T? Value);
