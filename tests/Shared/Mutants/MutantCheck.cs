namespace Shared.Mutants;

/// <summary>What must catch a mutant: the testers of the storage and the indexes, named for what they do.</summary>
internal enum MutantCheck
{
    /// <summary>Crashes, crashes upon crashes, damage and disk errors, at random (T1, T3, T4, T7).</summary>
    CrashesAndFaults,

    /// <summary>A cut at every operation of the scenarios (T2).</summary>
    EveryCut,

    /// <summary>Bits of a page of each kind (T4).</summary>
    PageBits,

    /// <summary>Bits of journal records (T4).</summary>
    RecordBits,

    /// <summary>Lists of operations on a structure, against its model (T5).</summary>
    StructureLists,

    /// <summary>Readers beside the writer of a list (T5).</summary>
    ReadersBesideWriter,

    /// <summary>Lists of operations on documents, against their model (T5).</summary>
    DocumentLists,

    /// <summary>The audit of each commit (T6).</summary>
    CommitAudits,

    /// <summary>Power cuts while indexes follow their documents.</summary>
    IndexCuts,

    /// <summary>Clusters in simulated time.</summary>
    ClusterRuns,

    /// <summary>The tests of what replication asks of the storage: gate, log, copies of pages.</summary>
    ReplicationTests,
}
