namespace Raven.Cluster.Replication;

/// <summary>What a shell does for its core.</summary>
public enum ReplicaActionKind
{
    /// <summary>Connect to a node; answered by Connected.</summary>
    Connect,

    /// <summary>Close a connection, and drop what it still brings.</summary>
    Disconnect,

    /// <summary>Send a message.</summary>
    Send,

    /// <summary>Send the message of a record, with its bytes.</summary>
    SendRecord,

    /// <summary>Send the pages that have changed since a transaction; 0: all.</summary>
    SendPages,

    /// <summary>Read the group, linearizably; answered by GroupRead.</summary>
    ReadGroup,

    /// <summary>Write the group if its revision is the expected one; answered by GroupWritten.</summary>
    WriteGroup,

    /// <summary>Apply the record of a transaction and write it to the journal; answered by Journaled.</summary>
    Apply,

    /// <summary>Let readers see a transaction.</summary>
    Publish,

    /// <summary>Open the files as of a transaction, and drop what follows it; answered by Recovered.</summary>
    Recover,

    /// <summary>
    /// Note durably that the files, which are closed, are those of the group's lineage: it begins here. Answered by
    /// Scanned.
    /// </summary>
    Found,

    /// <summary>Readers may come: all that they see is committed.</summary>
    Serve,

    /// <summary>Readers may not come any more.</summary>
    Close,

    /// <summary>Write the transaction that opens an epoch; then the group takes writes.</summary>
    Open,

    /// <summary>Take pages from the primary; answered by Copied.</summary>
    Copy,

    /// <summary>
    /// The node is primary no longer. If a transaction is in doubt, its writers are told that it neither failed nor is
    /// acknowledged, the files are closed and looked at again; answered by Scanned.
    /// </summary>
    StepDown,

    /// <summary>A question is answered: a read that sees a transaction sees all that was acknowledged before.</summary>
    ReadReady,
}
