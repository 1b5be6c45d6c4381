using System.Collections.Immutable;
using Raven.Storage.Transactions;
using Shared.Storage;
using Shared.Storage.Structures;

namespace SlowTests.Storage.Trees;

/// <summary>A structure whose keys have values, beside a map.</summary>
internal sealed class LongStructureModel(int seed, ModelStructure structure)
    : LongModel<ImmutableSortedDictionary<string, byte[]>>(seed, CrashWorkload.Empty)
{
    private const int Keys = 3_000;

    private long _number;

    private protected override void Step(WriteTransaction transaction)
    {
        int number = Random.Next(Keys);
        int what = Random.Next(1_000);
        State = what < 5
            ? structure.DoMore(transaction, State, number, Random.Next(Keys))
            : structure.Change(transaction, State, number, what < 350 ? null : NewValue());
    }

    private protected override void Compare(
        ImmutableSortedDictionary<string, byte[]> state, ReadTransaction reader)
    {
        int count = 0;
        Assert.Null(structure.Difference(reader, state, ref count));
        Assert.Equal(state.Count, count);
    }

    private byte[] NewValue()
    {
        byte[] value = new byte[Math.Max(Random.Next(200) == 0 ? Random.Next(12_000) : Random.Next(200), sizeof(long))];
        Random.NextBytes(value);
        BitConverter.TryWriteBytes(value, ++_number);
        return value;
    }
}
