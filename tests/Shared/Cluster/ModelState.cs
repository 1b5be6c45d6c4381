using System.Runtime.CompilerServices;

namespace Shared.Cluster;

/// <summary>A state of the model: the record of the group, three nodes, what is on the network, what is
/// committed.</summary>
internal struct ModelState
{
    internal const int NodeCount = 3;
    internal const int EpochsMax = 4;

    internal int Epoch;
    internal int Primary;
    internal int InSync;
    internal int Crashes;
    internal Nodes Node;

    /// <summary>For each epoch: whether its primary has sent its log, and what of it was sent last.</summary>
    internal Logs Sent;

    /// <summary>Bit e: the primary of epoch e has sent something.</summary>
    internal int HasSent;

    /// <summary>Three bits for each epoch and node: how much of its log it has acknowledged, and one; 0 for
    /// nothing.</summary>
    internal ulong Acknowledged;

    internal ModelLog Committed;

    internal static ModelState First()
    {
        var state = new ModelState { Epoch = 1, InSync = 7 };
        for (int node = 0; node < NodeCount; node++)
        {
            state.Node[node] = ModelNode.Follower(1, default);
        }

        state.Node[0].IsPrimary = true;
        state.Node[0].InSync = 7;
        state.Node[0].IsFresh = true;
        return state;
    }

    internal readonly int AcknowledgedBy(int epoch, int node) =>
        (int)(Acknowledged >> (3 * (epoch * NodeCount + node))) & 7;

    internal void Acknowledge(int epoch, int node, int value)
    {
        int shift = 3 * (epoch * NodeCount + node);
        Acknowledged = (Acknowledged & ~(7ul << shift)) | (ulong)value << shift;
    }

    internal void RaiseAcknowledged(int epoch, int node, int value)
    {
        if (AcknowledgedBy(epoch, node) < value)
        {
            Acknowledge(epoch, node, value);
        }
    }

    /// <summary>Forgets what nobody will look at any more, so that states that behave the same are the same.</summary>
    internal void Normalize()
    {
        int lowest = int.MaxValue;
        int led = 1 << Epoch;
        for (int i = 0; i < NodeCount; i++)
        {
            ref readonly ModelNode node = ref Node[i];
            lowest = Math.Min(lowest, node.IsUp ? node.Epoch : Epoch);
            led |= node.IsUp && node.IsPrimary ? 1 << node.Epoch : 0;
        }

        for (int epoch = 1; epoch <= EpochsMax; epoch++)
        {
            if (epoch < lowest)
            {
                HasSent &= ~(1 << epoch);
                Sent[epoch] = default;
            }

            if ((led >> epoch & 1) == 0)
            {
                Acknowledged &= ~(0x1FFul << (3 * epoch * NodeCount));
            }
        }
    }

    internal readonly PackedState Pack()
    {
        // 10 + 3 * 23 bits, then 4 epochs of 12, those of acknowledgements, and the committed log: 174.
        ulong first = (ulong)(Epoch | Primary << 3 | InSync << 5 | Crashes << 8);
        for (int i = 0; i < 2; i++)
        {
            first |= PackNode(Node[i]) << (10 + 23 * i);
        }

        ulong second = PackNode(Node[2]) | (ulong)Committed.Bits << 23;
        ulong third = (Acknowledged >> 9) & 0xF_FFFF_FFFF;
        second |= ((ulong)(HasSent >> 1) & 15) << 34;
        second |= (ulong)Sent[1].Bits << 38 | (ulong)Sent[2].Bits << 49;
        third |= (ulong)Sent[3].Bits << 36 | (ulong)Sent[4].Bits << 47;
        return new PackedState(first, second, third);
    }

    internal static ModelState Unpack(PackedState packed)
    {
        var state = new ModelState
        {
            Epoch = (int)packed.First & 7,
            Primary = (int)(packed.First >> 3) & 3,
            InSync = (int)(packed.First >> 5) & 7,
            Crashes = (int)(packed.First >> 8) & 3,
            HasSent = ((int)(packed.Second >> 34) & 15) << 1,
            Acknowledged = (packed.Third & 0xF_FFFF_FFFF) << 9,
            Committed = LogAt(packed.Second >> 23),
        };
        state.Node[0] = UnpackNode(packed.First >> 10);
        state.Node[1] = UnpackNode(packed.First >> 33);
        state.Node[2] = UnpackNode(packed.Second);
        state.Sent[1] = LogAt(packed.Second >> 38);
        state.Sent[2] = LogAt(packed.Second >> 49);
        state.Sent[3] = LogAt(packed.Third >> 36);
        state.Sent[4] = LogAt(packed.Third >> 47);
        return state;
    }

    private static ulong PackNode(in ModelNode node) => (ulong)(
        (node.IsUp ? 1 : 0) | (node.IsPrimary ? 2 : 0) | node.Epoch << 2 | node.InSync << 5 | (node.IsFresh ? 256 : 0)
        | (node.IsInFlight ? 512 : 0) | (node.Added + 1) << 10 | node.Log.Bits << 12);

    private static ModelNode UnpackNode(ulong bits) => new()
    {
        IsUp = (bits & 1) != 0,
        IsPrimary = (bits & 2) != 0,
        Epoch = (int)(bits >> 2) & 7,
        InSync = (int)(bits >> 5) & 7,
        IsFresh = (bits & 256) != 0,
        IsInFlight = (bits & 512) != 0,
        Added = ((int)(bits >> 10) & 3) - 1,
        Log = LogAt(bits >> 12),
    };

    private static ModelLog LogAt(ulong bits) => new((ushort)(bits & ((1 << ModelLog.BitCount) - 1)));

    /// <summary>The nodes.</summary>
    [InlineArray(NodeCount)]
    internal struct Nodes
    {
        private ModelNode _first;
    }

    /// <summary>A log for each epoch; that of epoch 0 is not used.</summary>
    [InlineArray(EpochsMax + 1)]
    internal struct Logs
    {
        private ModelLog _first;
    }
}
