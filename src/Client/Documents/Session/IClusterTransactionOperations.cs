using Raven.Client.Documents.Operations.CompareExchange;

namespace Raven.Client.Documents.Session;

/// <summary>Compare-exchange values that are saved with the documents of a cluster-wide transaction.</summary>
public interface IClusterTransactionOperations
{
    /// <summary>Reads a value; null if there is none.</summary>
    CompareExchangeValue<T>? GetCompareExchangeValue<T>(string key);

    /// <summary>Creates a value with the next save, which fails if there is one already.</summary>
    void CreateCompareExchangeValue<T>(string key, T value);

    /// <summary>Changes a value with the next save, which fails if it was changed in between.</summary>
    void UpdateCompareExchangeValue<T>(CompareExchangeValue<T> value);

    /// <summary>Deletes a value with the next save, which fails if it was changed in between.</summary>
    void DeleteCompareExchangeValue(string key, long index);
}
