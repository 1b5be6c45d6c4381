using System.Buffers;
using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Reduce;

//   COUNT (2)            results, or 65,535 if the reduce failed on the nodes below
//   LENGTH BYTES ...     (4) each result, a blittable document

/// <summary>The stored value of a node of a <see cref="GroupTree"/> above level 0.</summary>
internal static class NodeValue
{
    private const ushort Failed = ushort.MaxValue;

    internal static void Write(IBufferWriter<byte> target, List<BlittableObject> results)
    {
        if (results.Count >= Failed)
        {
            throw new InvalidOperationException($"A reduce gave {results.Count} results of one group.");
        }

        BinaryPrimitives.WriteUInt16LittleEndian(target.GetSpan(2), (ushort)results.Count);
        target.Advance(2);
        foreach (BlittableObject result in results)
        {
            ReadOnlySpan<byte> bytes = result.Memory.Span;
            BinaryPrimitives.WriteInt32LittleEndian(target.GetSpan(4), bytes.Length);
            target.Advance(4);
            target.Write(bytes);
        }
    }

    internal static void WriteFailed(IBufferWriter<byte> target)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(target.GetSpan(2), Failed);
        target.Advance(2);
    }

    /// <summary>Adds the results of a node to a list; false if the reduce has failed on it.</summary>
    internal static bool TryRead(NativeSlice value, List<BlittableObject> results)
    {
        int count = BinaryPrimitives.ReadUInt16LittleEndian(value.Span);
        if (count == Failed)
        {
            return false;
        }

        int at = 2;
        for (int i = 0; i < count; i++)
        {
            int length = BinaryPrimitives.ReadInt32LittleEndian(value.Span[at..]);
            results.Add(BlittableObject.Open(value.Slice(at + 4, length)));
            at += 4 + length;
        }

        return true;
    }
}
