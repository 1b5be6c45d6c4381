namespace Raven.Cluster.Hosting;

/// <summary>What is done with the files of a database.</summary>
internal enum HostJobKind
{
    /// <summary>A record of the primary is applied.</summary>
    Apply,

    /// <summary>The files are opened as of a transaction.</summary>
    Recover,

    /// <summary>The history of a new group is noted.</summary>
    Found,

    /// <summary>The transaction that opens an epoch is written.</summary>
    Open,

    /// <summary>Readers may come.</summary>
    Serve,

    /// <summary>Readers may not come any more.</summary>
    StopServing,

    /// <summary>Pages are taken from the primary.</summary>
    Copy,

    /// <summary>The files are closed and looked at again.</summary>
    Rescan,

    /// <summary>The files are closed for good.</summary>
    End,
}
