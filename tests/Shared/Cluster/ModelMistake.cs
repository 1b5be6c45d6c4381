namespace Shared.Cluster;

/// <summary>A mistake in the protocol, to see that the model finds it; the rule that it breaks stands before
/// it.</summary>
internal enum ModelMistake
{
    None,

    /// <summary>REP-2: acknowledged before the journal has it, so that a crash loses the last transaction.</summary>
    AckBeforeDurable,

    /// <summary>REP-2: two of three are enough, whoever is in sync.</summary>
    MajorityNotAll,

    /// <summary>REP-2: committed with fewer nodes in sync than the least that is asked for.</summary>
    FewerThanMinimum,

    /// <summary>REP-2: a follower publishes what it receives.</summary>
    PublishOnReceive,

    /// <summary>REP-3: the next transaction is shipped before the last one is committed.</summary>
    TwoInFlight,

    /// <summary>REP-4: a silent node is not waited for before the store has taken it out.</summary>
    ShrinkBeforeStore,

    /// <summary>REP-4: the store does not compare the epoch when a node is taken out.</summary>
    ShrinkByOldEpoch,

    /// <summary>REP-5: acknowledgements of a node are awaited only when its adding is known.</summary>
    AddNotAwaited,

    /// <summary>REP-5: a node is added that lacks commits.</summary>
    AddBehind,

    /// <summary>
    /// REP-5: a new primary adds a node that has all but the last transaction of its log, which may be committed under
    /// the epoch before.
    /// </summary>
    AddBehindInTakeover,

    /// <summary>REP-6: the log of a new primary counts as committed at once.</summary>
    NoReconcile,

    /// <summary>REP-6: a node that is not in sync takes over.</summary>
    TakeoverByAnyone,

    /// <summary>REP-6: a node takes over without raising the epoch.</summary>
    TakeoverInSameEpoch,

    /// <summary>REP-7: a follower listens to a primary of an older epoch.</summary>
    OldEpochAccepted,

    /// <summary>REP-8: records are taken without a handshake, and a late one cuts the log.</summary>
    NoSession,

    /// <summary>REP-9: who loses its epoch publishes the transaction that is in doubt.</summary>
    DoubtPublished,
}
