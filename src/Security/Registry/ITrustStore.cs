namespace Raven.Security.Registry;

/// <summary>Keeps the records of the registry. A write is durable when it returns, all of it or nothing.</summary>
public interface ITrustStore
{
    /// <summary>All records.</summary>
    IReadOnlyList<TrustRecord> ReadAll();

    /// <summary>Writes records in one transaction; one without a value is removed.</summary>
    void Write(IReadOnlyList<TrustRecord> records);
}
