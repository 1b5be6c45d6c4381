namespace Raven.Documents;

/// <summary>The calls of a database to its indexes: documents know nothing of indexing.</summary>
internal interface IDatabaseIndexes : IDisposable
{
    /// <summary>Called when the database has changed, or was opened.</summary>
    void Signal();

    /// <summary>The regular work.</summary>
    void Tick();

    /// <summary>The last change that every index has seen. The caller holds the database.</summary>
    long SeenByAll();

    /// <summary>Closes all files. The database must have no users, and may be opened again.</summary>
    void Close();

    /// <summary>Called when the database has another folder.</summary>
    void Move();

    /// <summary>Called when another node may have changed the records of the indexes: reads them again.</summary>
    void Refresh();

    /// <summary>Ends when the records were read that the last call had read again.</summary>
    Task Refreshed { get; }

    /// <summary>Called when this node takes the writes of the group from now on.</summary>
    void Lead();
}
