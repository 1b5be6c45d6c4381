using System.Runtime.CompilerServices;

namespace Raven.Storage.Options;

/// <summary>What tests see of, and do to, the inside of an environment. Off in the product.</summary>
internal sealed class StorageHooks
{
    /// <summary>The longest source that an LZ4 block has.</summary>
    private const int Lz4SourceBytesMax = 0x7E000000;

    private const long RecoveryBytes = 64L << 20;
    private const long RecoveryBytesOfTests = 64L << 10;

    private readonly long[]? _marks;

    private StorageHooks(bool isOn)
    {
        _marks = isOn ? new long[Enum.GetValues<CoverageMark>().Length] : null;
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

    /// <summary>The most that it may hold; few in tests, so that the bound is reached.</summary>
    internal long RecoveryBytesMax { get; init; }

    /// <summary>
    /// The longest journal record that may be packed; longer ones cannot be, and a reader allows at least this much.
    /// </summary>
    internal int RecordBytesMax { get; init; } = Lz4SourceBytesMax;

    /// <summary>
    /// Runs when memory is about to be freed, after the published version was read and before the readers are.
    /// </summary>
    internal Action? BetweenReclaimReads { get; init; }

    /// <summary>Runs before a state becomes the one that readers get; what it throws is thrown there.</summary>
    internal Action? BeforePublish { get; init; }

    /// <summary>How often a state was reached.</summary>
    internal long CountOf(CoverageMark mark) => _marks is null ? 0 : Volatile.Read(ref _marks[(int)mark]);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Mark(CoverageMark mark)
    {
        if (_marks is not null)
        {
            Interlocked.Increment(ref _marks[(int)mark]);
        }
    }
}
