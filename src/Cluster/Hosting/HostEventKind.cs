namespace Raven.Cluster.Hosting;

/// <summary>What has happened.</summary>
internal enum HostEventKind
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>Time went on.</summary>
    Tick,

    /// <summary>A connection that was asked for is there.</summary>
    Connected,

    /// <summary>Another node has connected.</summary>
    Accepted,

    /// <summary>A connection is over.</summary>
    Disconnected,

    /// <summary>A frame has come.</summary>
    Received,

    /// <summary>This node has made a commit, and writes it to its journal.</summary>
    Taken,

    /// <summary>The own journal has the commit.</summary>
    Written,

    /// <summary>The files failed: they are closed and looked at again after a while.</summary>
    FilesFailed,

    /// <summary>The store has answered a read of the group.</summary>
    GroupRead,

    /// <summary>A watch has seen the group.</summary>
    GroupSeen,

    /// <summary>The store has answered a write of the group.</summary>
    GroupWritten,

    /// <summary>The closed files were looked at.</summary>
    Scanned,

    /// <summary>The files are open.</summary>
    Recovered,

    /// <summary>A record was applied and is in the journal.</summary>
    Journaled,

    /// <summary>A copy of pages has ended.</summary>
    Copied,

    /// <summary>Something is to be called in the loop.</summary>
    Call,
}
