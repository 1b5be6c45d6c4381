namespace Shared.Mutants;

/// <summary>What must catch a mutant: the testers of the storage and the indexes, named for what they do.</summary>
internal enum MutantCheck
{
    /// <summary>Crashes, crashes upon crashes, damage and disk errors, at random.</summary>
    CrashesAndFaults,

    /// <summary>A cut at every operation of the scenarios.</summary>
    EveryCut,

    /// <summary>Bits of a page of each kind.</summary>
    PageBits,

    /// <summary>Bits of journal records.</summary>
    RecordBits,

    /// <summary>Lists of operations on a structure, against its model.</summary>
    StructureLists,

    /// <summary>Readers beside the writer of a list.</summary>
    ReadersBesideWriter,

    /// <summary>Lists of operations on documents, against their model.</summary>
    DocumentLists,

    /// <summary>The audit of each commit.</summary>
    CommitAudits,

    /// <summary>Power cuts while indexes follow their documents.</summary>
    IndexCuts,

    /// <summary>Clusters in simulated time.</summary>
    ClusterRuns,

    /// <summary>The tests of what replication asks of the storage: gate, log, copies of pages.</summary>
    ReplicationTests,
}
