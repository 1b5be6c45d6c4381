namespace Raven.Tools.Stress.Histories;

/// <summary>What is done to a cluster while clients use it.</summary>
internal enum FaultKind
{
    /// <summary>A server is killed, and started again later.</summary>
    KillServer,

    /// <summary>All servers are killed in one moment.</summary>
    KillServers,

    /// <summary>All servers and all etcds are killed in one moment.</summary>
    KillAll,

    /// <summary>An etcd is killed.</summary>
    KillEtcd,

    /// <summary>A server stands still (SIGSTOP), and goes on later.</summary>
    StopServer,

    /// <summary>An etcd stands still.</summary>
    StopEtcd,

    /// <summary>A server goes in order (SIGTERM), and is started again.</summary>
    HandOver,

    /// <summary>Another node is made primary.</summary>
    Switch,

    /// <summary>A server is killed, and runs for a while with a clock an hour off, or one of another rate.</summary>
    Clock,

    /// <summary>A server's disk is full.</summary>
    DiskFull,

    /// <summary>Each write to a server's disk takes long.</summary>
    SlowDisk,

    /// <summary>A server and the two others do not reach one another; the etcds and clients are reached.</summary>
    CutServer,

    /// <summary>What a server sends does not reach the other servers.</summary>
    CutFrom,

    /// <summary>What the other servers send does not reach one.</summary>
    CutTo,

    /// <summary>Two servers do not reach one another, and the third reaches both.</summary>
    CutPair,

    /// <summary>A machine, which is a server and its etcd, is apart from the other two; clients reach it.</summary>
    CutMachine,

    /// <summary>A machine is apart from all, clients too.</summary>
    CutMachineOff,

    /// <summary>All machines are apart from one another.</summary>
    CutAll,

    /// <summary>A server and all etcds do not reach one another.</summary>
    CutStore,

    /// <summary>What the etcds answer does not reach a server.</summary>
    CutFromStore,

    /// <summary>The etcds do not reach one another.</summary>
    CutEtcds,

    /// <summary>What a server answers does not reach the clients.</summary>
    CutAnswers,
}
