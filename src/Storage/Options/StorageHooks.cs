using System.Runtime.CompilerServices;
using Raven.Blittable.Compression;

namespace Raven.Storage.Options;

/// <summary>What tests see of, and do to, the inside of an environment. Off in the product.</summary>
internal sealed class StorageHooks
{
    private const long RecoveryBytes = 64L << 20;
    private const long RecoveryBytesOfTests = 64L << 10;

    private readonly long[]? _marks;

    private StorageHooks(bool isOn)
    {
        _marks = isOn ? new long[Enum.GetValues<ProtocolMark>().Length] : null;
        RecoveryBytesMin = isOn ? RecoveryBytesOfTests : RecoveryBytes;
        RecoveryBytesMax = isOn ? RecoveryBytesOfTests : long.MaxValue;
    }

    internal StorageHooks()
        : this(isOn: true)
    {
    }

    /// <summary>Counts nothing and changes nothing.</summary>
    internal static StorageHooks Off { get; } = new(isOn: false);

    /// <summary>The bytes of pages that a recovery may hold however little the process has left.</summary>
    internal long RecoveryBytesMin { get; }

    /// <summary>Those that it may hold at most; few in tests, so that it meets its bound.</summary>
    internal long RecoveryBytesMax { get; init; }

    /// <summary>The bytes that a record of the journal may have before it is packed: no more can be, and less than a
    /// reader takes.</summary>
    internal int RecordBytesMax { get; init; } = Lz4.SourceLengthMax;

    /// <summary>Runs when memory is about to be given back, between the look at the published version and the look at
    /// the readers.</summary>
    internal Action? BetweenReclaimReads { get; init; }

    /// <summary>Runs before a state becomes the one that readers get; what it throws is thrown there.</summary>
    internal Action? BeforePublish { get; init; }

    /// <summary>How often a state was met.</summary>
    internal long CountOf(ProtocolMark mark) => _marks is null ? 0 : Volatile.Read(ref _marks[(int)mark]);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Mark(ProtocolMark mark)
    {
        if (_marks is not null)
        {
            Interlocked.Increment(ref _marks[(int)mark]);
        }
    }
}
