using System.Runtime.CompilerServices;
using Raven.Blittable.Text;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>
/// The table of compare and copy: runs in the first-level cache that differ in the last byte, of lengths that the
/// JIT does not know and the processor has to look at.
/// </summary>
internal sealed class BytesSuite : IBenchSuite
{
    private const int Operations = 2_000_000;
    private const int Slots = 64;

    private static readonly int[] _lengths =
        [1, 4, 8, 12, 16, 24, 32, 64, 128, 256, 512, 1024, 2048, 4096];

    private readonly byte[] _left = new byte[(Slots * 2) + 8192];
    private readonly byte[] _right = new byte[(Slots * 2) + 8192];
    private readonly int[] _offsets = new int[Slots];

    public string Name => "blittable";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        Random random = new(1);
        for (int i = 0; i < Slots; i++)
        {
            _offsets[i] = random.Next(Slots);
        }

        foreach (int length in _lengths)
        {
            yield return Row(
                $"compare {length} bytes", "SequenceCompareTo", () => Compare(length), () => CompareSpans(length));
        }

        foreach (int length in _lengths)
        {
            yield return Row($"copy {length} bytes", "Span.CopyTo", () => Copy(length), () => CopySpans(length));
        }

        foreach (int length in _lengths)
        {
            yield return Row(
                $"copy {length} bytes by CopyBlockUnaligned",
                "Span.CopyTo",
                () => CopyBlock(length),
                () => CopySpans(length));
        }
    }

    private static BenchRow Row(string name, string peer, Action ours, Action theirs) => new()
    {
        Name = name,
        Unit = "ns",
        PeerName = peer,
        WarmUpRuns = 4,
        Ours = () => Measure.NanosecondsPerOperation(Operations, ours),
        Peer = () => Measure.NanosecondsPerOperation(Operations, theirs),
    };

    private void Compare(int length)
    {
        int sum = 0;
        for (int i = 0; i < Operations; i++)
        {
            sum += ByteOrder.Compare(Left(i, length), Right(i, length));
        }

        GC.KeepAlive(sum);
    }

    private void CompareSpans(int length)
    {
        int sum = 0;
        for (int i = 0; i < Operations; i++)
        {
            sum += Left(i, length).SequenceCompareTo(Right(i, length));
        }

        GC.KeepAlive(sum);
    }

    private void Copy(int length)
    {
        for (int i = 0; i < Operations; i++)
        {
            ByteOrder.Copy(Left(i, length), Right(i, length));
        }
    }

    private void CopySpans(int length)
    {
        for (int i = 0; i < Operations; i++)
        {
            Left(i, length).CopyTo(Right(i, length));
        }
    }

    private void CopyBlock(int length)
    {
        for (int i = 0; i < Operations; i++)
        {
            Unsafe.CopyBlockUnaligned(ref Right(i, length)[0], in Left(i, length)[0], (uint)length);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ReadOnlySpan<byte> Left(int i, int length) => _left.AsSpan(_offsets[i % Slots], length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<byte> Right(int i, int length) => _right.AsSpan(_offsets[i % Slots], length);
}
