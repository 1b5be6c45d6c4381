namespace Shared.Cluster;

/// <summary>
/// The states that were reached, in the order in which they were, each with the one before it and what led to it. An
/// open-addressing table finds a state; the states are in blocks, so that none is copied when there are more.
/// </summary>
internal sealed class PackedStates
{
    private const int BlockBits = 18;
    private const int BlockMask = (1 << BlockBits) - 1;

    private readonly List<Block> _blocks = [];

    /// <summary>Places and one, so that 0 is free.</summary>
    private int[] _table = new int[1 << 16];

    internal int Count { get; private set; }

    internal PackedState this[int index] => _blocks[index >> BlockBits].States[index & BlockMask];

    internal int ParentOf(int index) => _blocks[index >> BlockBits].Parents[index & BlockMask];

    internal byte StepOf(int index) => _blocks[index >> BlockBits].Steps[index & BlockMask];

    /// <summary>Adds a state; false if it is there.</summary>
    internal bool TryAdd(PackedState state, int parent, byte step)
    {
        int[] table = _table;
        uint mask = (uint)table.Length - 1;
        uint place = state.Hash() & mask;
        for (; table[place] != 0; place = (place + 1) & mask)
        {
            if (this[table[place] - 1] == state)
            {
                return false;
            }
        }

        if ((Count & BlockMask) == 0)
        {
            _blocks.Add(new Block());
        }

        Block block = _blocks[^1];
        block.States[Count & BlockMask] = state;
        block.Parents[Count & BlockMask] = parent;
        block.Steps[Count & BlockMask] = step;
        Count++;
        table[place] = Count;
        if (Count * 2L > table.Length)
        {
            Grow();
        }

        return true;
    }

    private void Grow()
    {
        int[] table = new int[_table.Length * 2];
        uint mask = (uint)table.Length - 1;
        for (int i = 0; i < Count; i++)
        {
            uint place = this[i].Hash() & mask;
            while (table[place] != 0)
            {
                place = (place + 1) & mask;
            }

            table[place] = i + 1;
        }

        _table = table;
    }

    private sealed class Block
    {
        internal readonly PackedState[] States = new PackedState[1 << BlockBits];
        internal readonly int[] Parents = new int[1 << BlockBits];
        internal readonly byte[] Steps = new byte[1 << BlockBits];
    }
}
