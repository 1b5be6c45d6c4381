namespace Raven.Documents.Catalog;

/// <summary>Seals the secrets in the record of a database before it is stored.</summary>
public interface IRecordSealer
{
    /// <summary>Gives the record as it is to be stored. Called within the lock of the catalog.</summary>
    /// <param name="database">The name of the database.</param>
    /// <param name="record">The record as it was sent, or as a change of the stored one has made it.</param>
    /// <param name="stored">The record that it replaces; null if there is none.</param>
    byte[] Seal(string database, byte[] record, byte[]? stored);
}
