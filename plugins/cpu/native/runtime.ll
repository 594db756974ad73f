; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources 191e4f33129e14ec238b28a88ed367724033859a47920634072dfa4beea1957b

%struct.anon = type { i64, i64, i64, i64, i64 }
%struct.anon.1 = type { i64, i64, [2 x i64], [2 x i64], i64, i64 }
%struct.anon.2 = type { [8 x i32], i64, [8 x i8], [128 x i8], i32, [12 x i8] }
%struct.anon.3 = type { i64, i64, i64, i64, i64, i64, i64, i64, i64, i64 }
%struct.anon.4 = type { i64, i64, [112 x i8] }
%struct.Object = type { i64 }
%struct.Step = type { ptr, i64, i64, i64, i64, i64 }
%struct.Row = type { ptr, i64, i64, i64, i64 }
%struct.Carry = type { i64, i64, i64, i64, i64 }
%struct.Sequence = type { i64, i64, i64 }
%struct.Changing = type { i64, i64, i64 }
%struct.Job = type { ptr, ptr }

@pool_state = global %struct.anon { i64 1, i64 0, i64 0, i64 0, i64 1000 }, align 128
@busy = internal global i32 0, align 128
@sleepers = internal global i32 0, align 128
@signal_word = internal global i32 0, align 128
@finished = internal global i32 0, align 128
@caller_sleeps = internal global i32 0, align 128
@loop_now.0 = internal global i64 0, align 128
@loop_now.1 = internal global i64 0, align 8
@loop_now.2 = internal global ptr null, align 16
@loop_now.3 = internal global ptr null, align 8
@loop_now.4 = internal global i64 0, align 32
@loop_now.5 = internal global i64 0, align 8
@loop_now.6 = internal global i64 0, align 16
@lists = internal global [320 x ptr] zeroinitializer, align 16
@block_type = global ptr null, align 8
@entry_failure = global ptr null, align 8
@memory_state = global %struct.anon.1 zeroinitializer, align 64
@array_type = global ptr null, align 8
@block_failure = global ptr null, align 8
@record = global ptr null, align 8
@affinity = internal global %struct.anon.2 { [8 x i32] zeroinitializer, i64 0, [8 x i8] zeroinitializer, [128 x i8] zeroinitializer, i32 -1, [12 x i8] zeroinitializer }, align 16
@SYSTEM = external constant %struct.anon.3, align 8
@shares = internal global [64 x %struct.anon.4] zeroinitializer, align 128
@oldest = internal global ptr null, align 8
@newest = internal global ptr null, align 8
@memory_lock = internal global i32 0, align 64
@Py_None = external global %struct.Object, align 8

define void @parallel_for(ptr %0, ptr %1, i64 %2, i64 %3) nounwind {
  %5 = alloca i32, align 4
  %6 = alloca [128 x i8], align 16
  %7 = alloca ptr, align 8
  %8 = alloca [128 x i8], align 16
  %9 = alloca [128 x i8], align 16
  %10 = load atomic i64, ptr @pool_state seq_cst, align 128
  %11 = add i64 %2, -1
  %12 = add i64 %11, %3
  %13 = udiv i64 %12, %3
  %14 = icmp slt i64 %10, 2
  %15 = add i64 %13, -2147483648
  %16 = icmp ult i64 %15, -2147483646
  %17 = or i1 %14, %16
  br i1 %17, label %21, label %18

18:
  %19 = cmpxchg ptr @busy, i32 0, i32 1 seq_cst seq_cst, align 128
  %20 = extractvalue { i32, i1 } %19, 1
  br i1 %20, label %31, label %21

21:
  %22 = icmp sgt i64 %2, 0
  br i1 %22, label %23, label %152

23:
  %24 = phi i64 [ %28, %23 ], [ 0, %21 ]
  %25 = phi i64 [ %29, %23 ], [ 0, %21 ]
  %26 = sub i64 %2, %24
  %27 = tail call i64 @llvm.smin.i64(i64 %3, i64 %26)
  %28 = add i64 %27, %24
  tail call void %0(ptr %1, i64 %24, i64 %28, i64 %25)
  %29 = add i64 %25, 1
  %30 = icmp slt i64 %28, %2
  br i1 %30, label %23, label %152

31:
  %32 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8) seq_cst, align 8
  %33 = icmp eq i64 %32, 0
  br i1 %33, label %34, label %61

34:
  store atomic i64 1, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8) seq_cst, align 8
  store atomic i64 0, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 32) seq_cst, align 16
  tail call void @llvm.memset.p0.i64(ptr align 16 @affinity, i8 -1, i64 32, i1 false)
  store i32 -1, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 176), align 16
  %35 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 72), align 8
  %36 = tail call i64 (i64, ...) @syscall(i64 %35, i32 0, i64 128, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 48))
  %37 = load atomic i64, ptr @pool_state seq_cst, align 128
  %38 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24) seq_cst, align 8
  %39 = call i32 @sigfillset(ptr %8)
  %40 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 16), align 8
  %41 = trunc i64 %40 to i32
  %42 = call i32 @pthread_sigmask(i32 %41, ptr %8, ptr %9)
  %43 = icmp sgt i64 %37, 1
  br i1 %43, label %44, label %59

44:
  %45 = inttoptr i64 %38 to ptr
  br label %46

46:
  %47 = phi i64 [ 1, %44 ], [ %57, %54 ]
  %48 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 16), i64 1 seq_cst, align 16
  %49 = call i32 @pthread_create(ptr %7, ptr null, ptr @pool_thread, ptr %45)
  %50 = icmp eq i32 %49, 0
  br i1 %50, label %54, label %51

51:
  %52 = cmpxchg ptr @pool_state, i64 %37, i64 %47 seq_cst seq_cst, align 128
  %53 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 16), i64 -1 seq_cst, align 16
  br label %59

54:
  %55 = load ptr, ptr %7, align 8
  %56 = call i32 @pthread_detach(ptr %55)
  %57 = add nuw nsw i64 %47, 1
  %58 = icmp eq i64 %57, %37
  br i1 %58, label %59, label %46

59:
  %60 = call i32 @pthread_sigmask(i32 %41, ptr %9, ptr null)
  br label %61

61:
  %62 = call i64 @llvm.smin.i64(i64 %10, i64 64)
  %63 = load i64, ptr @loop_now.1, align 8
  %64 = add i64 %63, 1
  store i64 %64, ptr @loop_now.1, align 8
  %65 = shl i64 %64, 32
  %66 = or disjoint i64 %65, 4294967295
  br label %69

67:
  store ptr %0, ptr @loop_now.2, align 16
  store ptr %1, ptr @loop_now.3, align 8
  store i64 %2, ptr @loop_now.4, align 32
  store i64 %3, ptr @loop_now.5, align 8
  store i64 %13, ptr @loop_now.6, align 16
  store atomic i32 0, ptr @finished seq_cst, align 128
  store atomic i64 %62, ptr @loop_now.0 seq_cst, align 128
  %68 = add nsw i64 %62, -1
  br label %74

69:
  %70 = phi i64 [ 0, %61 ], [ %72, %69 ]
  %71 = getelementptr inbounds nuw %struct.anon.4, ptr @shares, i64 %70
  store atomic i64 %66, ptr %71 seq_cst, align 128
  %72 = add nuw i64 %70, 1
  %73 = icmp eq i64 %72, %62
  br i1 %73, label %67, label %69

74:
  %75 = phi i64 [ 0, %67 ], [ %77, %74 ]
  %76 = phi i64 [ 0, %67 ], [ %80, %74 ]
  %77 = add nuw i64 %75, 1
  %78 = mul i64 %77, %13
  %79 = add i64 %68, %78
  %80 = udiv i64 %79, %62
  %81 = getelementptr inbounds nuw %struct.anon.4, ptr @shares, i64 %75
  %82 = getelementptr inbounds nuw i8, ptr %81, i64 8
  store atomic i64 %80, ptr %82 seq_cst, align 8
  %83 = or i64 %76, %65
  store atomic i64 %83, ptr %81 seq_cst, align 128
  %84 = icmp eq i64 %77, %62
  br i1 %84, label %85, label %74

85:
  %86 = atomicrmw add ptr @signal_word, i32 1 seq_cst, align 128
  %87 = load atomic i32, ptr @sleepers seq_cst, align 128
  %88 = icmp eq i32 %87, 0
  br i1 %88, label %127, label %89

89:
  %90 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 32) seq_cst, align 16
  %91 = add i64 %90, -9
  %92 = icmp ult i64 %91, -8
  br i1 %92, label %122, label %93

93:
  %94 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 56), align 8
  %95 = call i64 (i64, ...) @syscall(i64 %94, ptr %5, ptr null, ptr null)
  %96 = icmp eq i64 %95, 0
  br i1 %96, label %97, label %122

97:
  %98 = load i32, ptr %5, align 4
  %99 = load i32, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 176), align 16
  %100 = icmp eq i32 %98, %99
  %101 = icmp ugt i32 %98, 1023
  %102 = or i1 %101, %100
  br i1 %102, label %122, label %103

103:
  store i32 %98, ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 176), align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %6, ptr align 16 getelementptr inbounds nuw (i8, ptr @affinity, i64 48), i64 128, i1 false)
  %104 = and i32 %98, 7
  %105 = shl nuw nsw i32 1, %104
  %106 = lshr i32 %98, 3
  %107 = zext nneg i32 %106 to i64
  %108 = getelementptr inbounds nuw i8, ptr %6, i64 %107
  %109 = load i8, ptr %108, align 1
  %110 = trunc nuw i32 %105 to i8
  %111 = xor i8 %110, -1
  %112 = and i8 %109, %111
  store i8 %112, ptr %108, align 1
  %113 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 64), align 8
  br label %115

114:
  br label %122

115:
  %116 = phi i64 [ 0, %103 ], [ %120, %115 ]
  %117 = getelementptr inbounds nuw i32, ptr @affinity, i64 %116
  %118 = load i32, ptr %117, align 4
  %119 = call i64 (i64, ...) @syscall(i64 %113, i32 %118, i64 128, ptr %6)
  %120 = add nuw nsw i64 %116, 1
  %121 = icmp eq i64 %120, %90
  br i1 %121, label %114, label %115

122:
  %123 = trunc nuw i64 %13 to i32
  %124 = add nsw i32 %123, -1
  %125 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 40), align 8
  %126 = call i64 (i64, ...) @syscall(i64 %125, ptr @signal_word, i32 129, i32 %124, ptr null, ptr null, i32 0)
  br label %127

127:
  call fastcc void @drain(i64 0)
  %128 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 32) seq_cst, align 32
  %129 = call i64 @llvm.umax.i64(i64 %128, i64 1)
  br label %130

130:
  %131 = phi i64 [ 0, %127 ], [ %136, %135 ]
  %132 = load atomic i32, ptr @finished seq_cst, align 128
  %133 = sext i32 %132 to i64
  %134 = icmp eq i64 %13, %133
  br i1 %134, label %151, label %135

135:
  call void @relax()
  %136 = add nuw i64 %131, 1
  %137 = icmp eq i64 %136, %129
  br i1 %137, label %138, label %130

138:
  store atomic i32 1, ptr @caller_sleeps seq_cst, align 128
  %139 = load atomic i32, ptr @finished seq_cst, align 128
  %140 = sext i32 %139 to i64
  %141 = icmp eq i64 %13, %140
  br i1 %141, label %150, label %142

142:
  %143 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 40), align 8
  br label %144

144:
  %145 = phi i32 [ %139, %142 ], [ %147, %144 ]
  %146 = call i64 (i64, ...) @syscall(i64 %143, ptr @finished, i32 128, i32 %145, ptr null, ptr null, i32 0)
  %147 = load atomic i32, ptr @finished seq_cst, align 128
  %148 = sext i32 %147 to i64
  %149 = icmp eq i64 %13, %148
  br i1 %149, label %150, label %144

150:
  store atomic i32 0, ptr @caller_sleeps seq_cst, align 128
  br label %151

151:
  store atomic i32 0, ptr @busy seq_cst, align 128
  br label %152

152:
  ret void
}

define internal fastcc void @drain(i64 %0) nounwind {
  %2 = load atomic i64, ptr @loop_now.0 seq_cst, align 128
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %6, label %4

4:
  %5 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 40), align 8
  br label %7

6:
  ret void

7:
  %8 = phi i64 [ 0, %4 ], [ %48, %47 ]
  %9 = add i64 %8, %0
  %10 = urem i64 %9, %2
  %11 = getelementptr inbounds nuw %struct.anon.4, ptr @shares, i64 %10
  %12 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %13 = load atomic i64, ptr %11 seq_cst, align 128
  %14 = load atomic i64, ptr %12 seq_cst, align 8
  %15 = and i64 %13, 4294967295
  %16 = icmp ult i64 %15, %14
  br i1 %16, label %17, label %47

17:
  %18 = phi i64 [ %45, %42 ], [ %15, %7 ]
  %19 = phi i64 [ %43, %42 ], [ %13, %7 ]
  %20 = add i64 %19, 1
  %21 = cmpxchg ptr %11, i64 %19, i64 %20 seq_cst seq_cst, align 128
  %22 = extractvalue { i64, i1 } %21, 1
  br i1 %22, label %23, label %42

23:
  %24 = load i64, ptr @loop_now.5, align 8
  %25 = mul i64 %24, %18
  %26 = load i64, ptr @loop_now.4, align 32
  %27 = sub i64 %26, %25
  %28 = tail call i64 @llvm.smin.i64(i64 %24, i64 %27)
  %29 = add i64 %28, %25
  %30 = load i64, ptr @loop_now.6, align 16
  %31 = trunc i64 %30 to i32
  %32 = load ptr, ptr @loop_now.2, align 16
  %33 = load ptr, ptr @loop_now.3, align 8
  tail call void %32(ptr %33, i64 %25, i64 %29, i64 %18)
  %34 = atomicrmw add ptr @finished, i32 1 seq_cst, align 128
  %35 = add i32 %34, 1
  %36 = icmp eq i32 %35, %31
  br i1 %36, label %37, label %42

37:
  %38 = load atomic i32, ptr @caller_sleeps seq_cst, align 128
  %39 = icmp eq i32 %38, 0
  br i1 %39, label %42, label %40

40:
  %41 = tail call i64 (i64, ...) @syscall(i64 %5, ptr @finished, i32 129, i32 1, ptr null, ptr null, i32 0)
  br label %42

42:
  %43 = load atomic i64, ptr %11 seq_cst, align 128
  %44 = load atomic i64, ptr %12 seq_cst, align 8
  %45 = and i64 %43, 4294967295
  %46 = icmp ult i64 %45, %44
  br i1 %46, label %17, label %47

47:
  %48 = add nuw i64 %8, 1
  %49 = icmp eq i64 %48, %2
  br i1 %49, label %6, label %7
}

declare void @relax()

define void @pool_stop() nounwind {
  %1 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24), i64 1 seq_cst, align 8
  store atomic i64 0, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8) seq_cst, align 8
  %2 = atomicrmw add ptr @signal_word, i32 1 seq_cst, align 128
  %3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 40), align 8
  %4 = tail call i64 (i64, ...) @syscall(i64 %3, ptr @signal_word, i32 129, i32 2147483647, ptr null, ptr null, i32 0)
  ret void
}

define void @pool_forget() nounwind {
  store atomic i64 0, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8) seq_cst, align 8
  store atomic i64 0, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 16) seq_cst, align 16
  store atomic i32 0, ptr @sleepers seq_cst, align 128
  store atomic i32 0, ptr @caller_sleeps seq_cst, align 128
  store atomic i64 0, ptr @loop_now.0 seq_cst, align 128
  store atomic i32 0, ptr @busy seq_cst, align 128
  ret void
}

define void @pool_pause(i64 %0) nounwind {
  %2 = tail call i64 @llvm.umax.i64(i64 %0, i64 1)
  br label %3

3:
  %4 = phi i64 [ 0, %1 ], [ %6, %3 ]
  %5 = load atomic i32, ptr @signal_word seq_cst, align 128
  tail call void @relax()
  %6 = add nuw i64 %4, 1
  %7 = icmp eq i64 %6, %2
  br i1 %7, label %8, label %3

8:
  ret void
}

define void @nothing(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  ret void
}

define void @memory_trim() nounwind {
  tail call fastcc void @evict(i64 0)
  br label %1

1:
  %2 = phi i64 [ 0, %0 ], [ %29, %28 ]
  %3 = getelementptr inbounds nuw ptr, ptr @lists, i64 %2
  %4 = icmp samesign ult i64 %2, 16
  %5 = add nsw i64 %2, -16
  %6 = and i64 %2, 7
  %7 = add nuw nsw i64 %6, 9
  %8 = lshr i64 %5, 3
  %9 = add nuw nsw i64 %8, 7
  %10 = shl i64 %7, %9
  %11 = shl i64 %2, 6
  %12 = add nuw nsw i64 %11, 64
  %13 = select i1 %4, i64 %12, i64 %10
  br label %15

14:
  ret void

15:
  %16 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %21, label %18

18:
  tail call void @relax()
  %19 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %18

21:
  %22 = load ptr, ptr %3, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %28, label %24

24:
  %25 = load ptr, ptr %22, align 8
  store ptr %25, ptr %3, align 8
  %26 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  %27 = sub i64 %26, %13
  store i64 %27, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  store atomic i32 0, ptr @memory_lock release, align 64
  tail call void @free(ptr %22)
  br label %15

28:
  store atomic i32 0, ptr @memory_lock release, align 64
  %29 = add nuw nsw i64 %2, 1
  %30 = icmp eq i64 %29, 80
  br i1 %30, label %14, label %1
}

define internal fastcc void @evict(i64 %0) nounwind {
  br label %2

2:
  %3 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %8, label %5

5:
  tail call void @relax()
  %6 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %8, label %5

8:
  %9 = load ptr, ptr @oldest, align 8
  %10 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  %11 = icmp sgt i64 %10, %0
  %12 = icmp ne ptr %9, null
  %13 = select i1 %11, i1 %12, i1 false
  br i1 %13, label %14, label %66

14:
  %15 = getelementptr inbounds nuw i8, ptr %9, i64 32
  %16 = load i64, ptr %15, align 8
  %17 = load ptr, ptr %9, align 8
  %18 = getelementptr inbounds nuw i8, ptr %9, i64 8
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, null
  %21 = getelementptr inbounds ptr, ptr @lists, i64 %16
  %22 = select i1 %20, ptr %21, ptr %19
  store ptr %17, ptr %22, align 8
  %23 = icmp eq ptr %17, null
  br i1 %23, label %27, label %24

24:
  %25 = load ptr, ptr %18, align 8
  %26 = getelementptr inbounds nuw i8, ptr %17, i64 8
  store ptr %25, ptr %26, align 8
  br label %27

27:
  %28 = getelementptr inbounds nuw i8, ptr %9, i64 24
  %29 = load ptr, ptr %28, align 8
  %30 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %31 = load ptr, ptr %30, align 8
  %32 = icmp eq ptr %31, null
  %33 = getelementptr inbounds nuw i8, ptr %31, i64 24
  %34 = select i1 %32, ptr @oldest, ptr %33
  store ptr %29, ptr %34, align 8
  %35 = load ptr, ptr %30, align 8
  %36 = icmp eq ptr %29, null
  %37 = getelementptr inbounds nuw i8, ptr %29, i64 16
  %38 = select i1 %36, ptr @newest, ptr %37
  store ptr %35, ptr %38, align 8
  %39 = load i64, ptr %15, align 8
  %40 = icmp slt i64 %39, 16
  br i1 %40, label %41, label %44

41:
  %42 = shl i64 %39, 6
  %43 = add i64 %42, 64
  br label %51

44:
  %45 = add nsw i64 %39, -16
  %46 = and i64 %39, 7
  %47 = add nuw nsw i64 %46, 9
  %48 = lshr i64 %45, 3
  %49 = add nuw nsw i64 %48, 7
  %50 = shl i64 %47, %49
  br label %51

51:
  %52 = phi i64 [ %43, %41 ], [ %50, %44 ]
  %53 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  %54 = sub i64 %53, %52
  store i64 %54, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  store atomic i32 0, ptr @memory_lock release, align 64
  %55 = icmp sgt i64 %16, 79
  br i1 %55, label %56, label %64

56:
  %57 = add nsw i64 %16, -16
  %58 = and i64 %16, 7
  %59 = add nuw nsw i64 %58, 9
  %60 = lshr i64 %57, 3
  %61 = add nuw nsw i64 %60, 7
  %62 = shl i64 %59, %61
  %63 = tail call i32 @munmap(ptr %9, i64 %62)
  br label %65

64:
  tail call void @free(ptr %9)
  br label %65

65:
  br label %2

66:
  store atomic i32 0, ptr @memory_lock release, align 64
  ret void
}

declare void @free(ptr)

define ptr @block_take(ptr %0, ptr %1) nounwind {
  %3 = tail call i64 @PyLong_AsSsize_t(ptr %1)
  %4 = icmp slt i64 %3, 0
  br i1 %4, label %5, label %8

5:
  %6 = tail call ptr @PyErr_Occurred()
  %7 = icmp eq ptr %6, null
  br i1 %7, label %8, label %10

8:
  %9 = tail call fastcc ptr @block_new(i64 %3)
  br label %10

10:
  %11 = phi ptr [ %9, %8 ], [ null, %5 ]
  ret ptr %11
}

declare i64 @PyLong_AsSsize_t(ptr)

declare ptr @PyErr_Occurred()

define internal fastcc ptr @block_new(i64 %0) nounwind {
  %2 = icmp ugt i64 %0, 140737488355327
  br i1 %2, label %3, label %9

3:
  %4 = tail call ptr @PyLong_FromSsize_t(i64 %0)
  %5 = icmp eq ptr %4, null
  br i1 %5, label %41, label %6

6:
  %7 = load ptr, ptr @block_failure, align 8
  %8 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %7, ptr %4, ptr null)
  tail call void @Py_DecRef(ptr %4)
  br label %41

9:
  %10 = tail call i64 @llvm.usub.sat.i64(i64 %0, i64 1)
  %11 = icmp samesign ult i64 %10, 1024
  br i1 %11, label %12, label %14

12:
  %13 = lshr i64 %10, 6
  br label %21

14:
  %15 = tail call i64 @llvm.ctlz.i64(i64 %10, i1 true)
  %16 = sub nuw nsw i64 60, %15
  %17 = lshr i64 %10, %16
  %18 = shl nuw nsw i64 %15, 3
  %19 = sub nsw i64 %17, %18
  %20 = add nsw i64 %19, 432
  br label %21

21:
  %22 = phi i64 [ %13, %12 ], [ %20, %14 ]
  %23 = tail call fastcc ptr @memory_take(i64 %22)
  %24 = icmp eq ptr %23, null
  br i1 %24, label %25, label %31

25:
  %26 = tail call ptr @PyLong_FromSsize_t(i64 %0)
  %27 = icmp eq ptr %26, null
  br i1 %27, label %41, label %28

28:
  %29 = load ptr, ptr @block_failure, align 8
  %30 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %29, ptr %26, ptr null)
  tail call void @Py_DecRef(ptr %26)
  br label %41

31:
  %32 = load ptr, ptr @block_type, align 8
  %33 = tail call ptr @_PyObject_New(ptr %32)
  %34 = icmp eq ptr %33, null
  br i1 %34, label %40, label %35

35:
  %36 = load i64, ptr @SYSTEM, align 8
  %37 = getelementptr inbounds i8, ptr %33, i64 %36
  store ptr %23, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %37, i64 8
  store i64 %0, ptr %38, align 8
  %39 = getelementptr inbounds nuw i8, ptr %37, i64 16
  store i64 %22, ptr %39, align 8
  br label %41

40:
  tail call fastcc void @memory_release(ptr %23, i64 %22)
  br label %41

41:
  %42 = phi ptr [ %33, %35 ], [ null, %6 ], [ null, %40 ], [ null, %3 ], [ null, %25 ], [ null, %28 ]
  ret ptr %42
}

define void @block_dealloc(ptr %0) nounwind {
  %2 = load i64, ptr @SYSTEM, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 %2
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %6 = load i64, ptr %5, align 8
  tail call fastcc void @memory_release(ptr %4, i64 %6)
  %7 = load ptr, ptr @block_type, align 8
  tail call void @PyObject_Free(ptr %0)
  tail call void @Py_DecRef(ptr %7)
  ret void
}

define internal fastcc void @memory_release(ptr %0, i64 %1) nounwind {
  %3 = icmp slt i64 %1, 16
  br i1 %3, label %4, label %7

4:
  %5 = shl i64 %1, 6
  %6 = add i64 %5, 64
  br label %14

7:
  %8 = add nsw i64 %1, -16
  %9 = and i64 %1, 7
  %10 = add nuw nsw i64 %9, 9
  %11 = lshr i64 %8, 3
  %12 = add nuw nsw i64 %11, 7
  %13 = shl i64 %10, %12
  br label %14

14:
  %15 = phi i64 [ %6, %4 ], [ %13, %7 ]
  %16 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %21, label %18

18:
  tail call void @relax()
  %19 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %18

21:
  %22 = load i64, ptr @memory_state, align 64
  %23 = sub i64 %22, %15
  store i64 %23, ptr @memory_state, align 64
  %24 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  %25 = add i64 %24, -1
  store i64 %25, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  %26 = icmp slt i64 %1, 80
  %27 = zext i1 %26 to i64
  %28 = getelementptr inbounds nuw i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 32), i64 %27
  %29 = load i64, ptr %28, align 8
  %30 = icmp sgt i64 %15, %29
  %31 = select i1 %26, i1 true, i1 %30
  br i1 %31, label %58, label %32

32:
  %33 = getelementptr inbounds nuw ptr, ptr @lists, i64 %1
  %34 = load ptr, ptr %33, align 8
  %35 = load ptr, ptr @newest, align 8
  store ptr %34, ptr %0, align 8
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 8
  store ptr null, ptr %36, align 8
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 16
  store ptr %35, ptr %37, align 8
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 24
  store ptr null, ptr %38, align 8
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 32
  store i64 %1, ptr %39, align 8
  %40 = icmp eq ptr %34, null
  br i1 %40, label %43, label %41

41:
  %42 = getelementptr inbounds nuw i8, ptr %34, i64 8
  store ptr %0, ptr %42, align 8
  br label %43

43:
  %44 = load ptr, ptr @newest, align 8
  %45 = icmp eq ptr %44, null
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 24
  %47 = select i1 %45, ptr @oldest, ptr %46
  store ptr %0, ptr %47, align 8
  store ptr %0, ptr @newest, align 8
  store ptr %0, ptr %33, align 8
  %48 = add nsw i64 %1, -16
  %49 = and i64 %1, 7
  %50 = add nuw nsw i64 %49, 9
  %51 = lshr i64 %48, 3
  %52 = add nuw nsw i64 %51, 7
  %53 = shl i64 %50, %52
  %54 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  %55 = add i64 %54, %53
  store i64 %55, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  %56 = icmp sgt i64 %55, %29
  store atomic i32 0, ptr @memory_lock release, align 64
  br i1 %56, label %57, label %77

57:
  tail call fastcc void @evict(i64 %29)
  br label %77

58:
  br i1 %26, label %59, label %68

59:
  %60 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  %61 = add i64 %60, %15
  %62 = icmp sgt i64 %61, %29
  br i1 %62, label %76, label %63

63:
  %64 = getelementptr inbounds ptr, ptr @lists, i64 %1
  %65 = load ptr, ptr %64, align 8
  store ptr %65, ptr %0, align 8
  store ptr %0, ptr %64, align 8
  %66 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  %67 = add i64 %66, %15
  store i64 %67, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  store atomic i32 0, ptr @memory_lock release, align 64
  br label %77

68:
  store atomic i32 0, ptr @memory_lock release, align 64
  %69 = add nsw i64 %1, -16
  %70 = and i64 %1, 7
  %71 = add nuw nsw i64 %70, 9
  %72 = lshr i64 %69, 3
  %73 = add nuw nsw i64 %72, 7
  %74 = shl i64 %71, %73
  %75 = tail call i32 @munmap(ptr %0, i64 %74)
  br label %77

76:
  store atomic i32 0, ptr @memory_lock release, align 64
  tail call void @free(ptr %0)
  br label %77

77:
  ret void
}

declare void @PyObject_Free(ptr)

declare void @Py_DecRef(ptr)

define i32 @block_getbuffer(ptr %0, ptr %1, i32 %2) nounwind {
  %4 = load i64, ptr @SYSTEM, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 %4
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = tail call i32 @PyBuffer_FillInfo(ptr %1, ptr %0, ptr %6, i64 %8, i32 0, i32 %2)
  ret i32 %9
}

declare i32 @PyBuffer_FillInfo(ptr, ptr, ptr, i64, i32, i32)

define void @run_recorded(ptr %0, ptr %1, ptr %2, ptr %3) nounwind {
  %5 = alloca [2 x i64], align 16
  %6 = alloca [2 x i64], align 16
  %7 = alloca [2 x i64], align 16
  %8 = alloca [2 x i64], align 16
  %9 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %10 = load i64, ptr %9, align 8
  %11 = add i64 %10, 1
  %12 = alloca i64, i64 %11, align 16
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %14 = load i64, ptr %13, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %16, label %94

16:
  %17 = icmp sgt i64 %10, 0
  %18 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 8), align 8
  %19 = trunc i64 %18 to i32
  br i1 %17, label %20, label %86

20:
  %21 = getelementptr inbounds nuw i8, ptr %7, i64 8
  br label %22

22:
  %23 = phi i64 [ 0, %20 ], [ %84, %81 ]
  %24 = phi ptr [ %2, %20 ], [ %83, %81 ]
  %25 = call i32 @clock_gettime(i32 %19, ptr %7)
  %26 = load i64, ptr %7, align 16
  %27 = mul i64 %26, 1000000000
  %28 = load i64, ptr %21, align 8
  %29 = add i64 %27, %28
  %30 = getelementptr inbounds nuw i64, ptr %12, i64 %23
  store i64 %29, ptr %30, align 8
  %31 = getelementptr inbounds nuw i8, ptr %24, i64 24
  %32 = getelementptr inbounds nuw i8, ptr %24, i64 8
  %33 = load i64, ptr %32, align 8
  %34 = icmp sgt i64 %33, 0
  %35 = load i64, ptr %24, align 8
  br i1 %34, label %36, label %81

36:
  %37 = phi i64 [ %77, %76 ], [ %33, %22 ]
  %38 = phi i64 [ %78, %76 ], [ %35, %22 ]
  %39 = phi i64 [ %79, %76 ], [ 0, %22 ]
  %40 = icmp sgt i64 %38, 0
  br i1 %40, label %41, label %76

41:
  %42 = phi i64 [ %69, %68 ], [ %38, %36 ]
  %43 = phi i64 [ %70, %68 ], [ %38, %36 ]
  %44 = phi ptr [ %71, %68 ], [ %31, %36 ]
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %44, i64 32
  %47 = load i64, ptr %46, align 8
  %48 = getelementptr inbounds ptr, ptr %3, i64 %47
  %49 = getelementptr inbounds nuw i8, ptr %44, i64 40
  %50 = load i64, ptr %49, align 8
  %51 = mul i64 %50, %39
  %52 = getelementptr inbounds ptr, ptr %48, i64 %51
  %53 = getelementptr inbounds nuw i8, ptr %44, i64 8
  %54 = load i64, ptr %53, align 8
  %55 = getelementptr inbounds nuw i8, ptr %44, i64 16
  %56 = load i64, ptr %55, align 8
  %57 = icmp sgt i64 %54, 0
  br i1 %57, label %58, label %68

58:
  %59 = phi i64 [ %63, %58 ], [ 0, %41 ]
  %60 = phi i64 [ %64, %58 ], [ 0, %41 ]
  %61 = sub i64 %54, %59
  %62 = call i64 @llvm.smin.i64(i64 %56, i64 %61)
  %63 = add i64 %62, %59
  call void %45(ptr %52, i64 %59, i64 %63, i64 %60)
  %64 = add i64 %60, 1
  %65 = icmp slt i64 %63, %54
  br i1 %65, label %58, label %66

66:
  %67 = load i64, ptr %24, align 8
  br label %68

68:
  %69 = phi i64 [ %67, %66 ], [ %42, %41 ]
  %70 = phi i64 [ %67, %66 ], [ %43, %41 ]
  %71 = getelementptr inbounds nuw i8, ptr %44, i64 48
  %72 = getelementptr inbounds %struct.Step, ptr %31, i64 %70
  %73 = icmp ult ptr %71, %72
  br i1 %73, label %41, label %74

74:
  %75 = load i64, ptr %32, align 8
  br label %76

76:
  %77 = phi i64 [ %75, %74 ], [ %37, %36 ]
  %78 = phi i64 [ %69, %74 ], [ %38, %36 ]
  %79 = add nuw nsw i64 %39, 1
  %80 = icmp slt i64 %79, %77
  br i1 %80, label %36, label %81

81:
  %82 = phi i64 [ %35, %22 ], [ %78, %76 ]
  %83 = getelementptr inbounds %struct.Step, ptr %31, i64 %82
  %84 = add nuw nsw i64 %23, 1
  %85 = icmp eq i64 %84, %10
  br i1 %85, label %86, label %22

86:
  %87 = call i32 @clock_gettime(i32 %19, ptr %8)
  %88 = load i64, ptr %8, align 16
  %89 = mul i64 %88, 1000000000
  %90 = getelementptr inbounds nuw i8, ptr %8, i64 8
  %91 = load i64, ptr %90, align 8
  %92 = add i64 %89, %91
  %93 = getelementptr inbounds i64, ptr %12, i64 %10
  store i64 %92, ptr %93, align 8
  br label %126

94:
  %95 = tail call ptr @PyEval_SaveThread()
  %96 = load i64, ptr %9, align 8
  %97 = load i64, ptr %13, align 8
  %98 = icmp eq i64 %97, 2
  %99 = icmp sgt i64 %96, 0
  %100 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 8), align 8
  %101 = trunc i64 %100 to i32
  br i1 %99, label %102, label %118

102:
  %103 = getelementptr inbounds nuw i8, ptr %5, i64 8
  br label %104

104:
  %105 = phi i64 [ 0, %102 ], [ %116, %104 ]
  %106 = phi ptr [ %2, %102 ], [ %115, %104 ]
  %107 = call i32 @clock_gettime(i32 %101, ptr %5)
  %108 = load i64, ptr %5, align 16
  %109 = mul i64 %108, 1000000000
  %110 = load i64, ptr %103, align 8
  %111 = add i64 %109, %110
  %112 = getelementptr inbounds nuw i64, ptr %12, i64 %105
  store i64 %111, ptr %112, align 8
  call fastcc void @run_stage(ptr %106, ptr %3, i1 %98)
  %113 = getelementptr inbounds nuw i8, ptr %106, i64 24
  %114 = load i64, ptr %106, align 8
  %115 = getelementptr inbounds %struct.Step, ptr %113, i64 %114
  %116 = add nuw nsw i64 %105, 1
  %117 = icmp eq i64 %116, %96
  br i1 %117, label %118, label %104

118:
  %119 = call i32 @clock_gettime(i32 %101, ptr %6)
  %120 = load i64, ptr %6, align 16
  %121 = mul i64 %120, 1000000000
  %122 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %123 = load i64, ptr %122, align 8
  %124 = add i64 %121, %123
  %125 = getelementptr inbounds i64, ptr %12, i64 %96
  store i64 %124, ptr %125, align 8
  call void @PyEval_RestoreThread(ptr %95)
  br label %126

126:
  %127 = load i64, ptr %9, align 8
  %128 = load ptr, ptr @record, align 8
  %129 = icmp ne ptr %128, null
  %130 = icmp ne i64 %127, 0
  %131 = and i1 %130, %129
  br i1 %131, label %132, label %185

132:
  %133 = getelementptr inbounds nuw i8, ptr %128, i64 16
  %134 = load i64, ptr %133, align 8
  %135 = add i64 %134, %127
  %136 = getelementptr inbounds nuw i8, ptr %128, i64 8
  %137 = load i64, ptr %136, align 8
  %138 = icmp sgt i64 %135, %137
  br i1 %138, label %139, label %146

139:
  %140 = getelementptr inbounds nuw i8, ptr %128, i64 40
  %141 = load ptr, ptr %140, align 8
  %142 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %141, ptr null)
  %143 = icmp eq ptr %142, null
  br i1 %143, label %145, label %144

144:
  call void @Py_DecRef(ptr %142)
  br label %146

145:
  call void @PyErr_Clear()
  br label %146

146:
  %147 = load i64, ptr %133, align 8
  %148 = add i64 %147, %127
  %149 = load i64, ptr %136, align 8
  %150 = icmp sgt i64 %148, %149
  br i1 %150, label %151, label %155

151:
  %152 = getelementptr inbounds nuw i8, ptr %128, i64 24
  %153 = load i64, ptr %152, align 8
  %154 = add i64 %153, %127
  store i64 %154, ptr %152, align 8
  br label %185

155:
  %156 = getelementptr inbounds nuw i8, ptr %128, i64 32
  %157 = load ptr, ptr %156, align 8
  %158 = icmp eq ptr %157, %0
  br i1 %158, label %160, label %159

159:
  call void @Py_IncRef(ptr %0)
  store ptr %0, ptr %156, align 8
  br label %160

160:
  %161 = call i64 @PyThread_get_thread_ident()
  %162 = load ptr, ptr %128, align 8
  %163 = load i64, ptr %133, align 8
  %164 = getelementptr inbounds %struct.Row, ptr %162, i64 %163
  %165 = icmp sgt i64 %127, 0
  br i1 %165, label %166, label %170

166:
  %167 = load i64, ptr %12, align 16
  br label %173

168:
  %169 = load i64, ptr %133, align 8
  br label %170

170:
  %171 = phi i64 [ %169, %168 ], [ %163, %160 ]
  %172 = add i64 %171, %127
  store i64 %172, ptr %133, align 8
  br label %185

173:
  %174 = phi i64 [ %179, %173 ], [ %167, %166 ]
  %175 = phi i64 [ %177, %173 ], [ 0, %166 ]
  %176 = getelementptr inbounds nuw %struct.Row, ptr %164, i64 %175
  %177 = add nuw nsw i64 %175, 1
  %178 = getelementptr inbounds nuw i64, ptr %12, i64 %177
  %179 = load i64, ptr %178, align 8
  store ptr %0, ptr %176, align 8
  %180 = getelementptr inbounds nuw i8, ptr %176, i64 8
  store i64 %175, ptr %180, align 8
  %181 = getelementptr inbounds nuw i8, ptr %176, i64 16
  store i64 %161, ptr %181, align 8
  %182 = getelementptr inbounds nuw i8, ptr %176, i64 24
  store i64 %174, ptr %182, align 8
  %183 = getelementptr inbounds nuw i8, ptr %176, i64 32
  store i64 %179, ptr %183, align 8
  %184 = icmp eq i64 %177, %127
  br i1 %184, label %168, label %173

185:
  ret void
}

declare ptr @PyEval_SaveThread()

declare void @PyEval_RestoreThread(ptr)

define ptr @entry(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = alloca [256 x ptr], align 64
  %5 = tail call ptr @PyTuple_GetItem(ptr %0, i64 0)
  %6 = tail call ptr @PyBytes_AsString(ptr %5)
  %7 = load i64, ptr %6, align 8
  %8 = icmp eq i64 %2, %7
  br i1 %8, label %12, label %9

9:
  %10 = load ptr, ptr @entry_failure, align 8
  %11 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %10, ptr null)
  br label %51

12:
  %13 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %14 = load i64, ptr %13, align 8
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %16, label %18

16:
  %17 = call fastcc ptr @run_plan(ptr %0, ptr %6, ptr %1, ptr %4)
  br label %51

18:
  %19 = icmp sgt i64 %14, 140737488355327
  br i1 %19, label %20, label %26

20:
  %21 = tail call ptr @PyLong_FromSsize_t(i64 %14)
  %22 = icmp eq ptr %21, null
  br i1 %22, label %51, label %23

23:
  %24 = load ptr, ptr @block_failure, align 8
  %25 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %24, ptr %21, ptr null)
  tail call void @Py_DecRef(ptr %21)
  br label %51

26:
  %27 = tail call i64 @llvm.usub.sat.i64(i64 %14, i64 1)
  %28 = icmp ult i64 %27, 1024
  br i1 %28, label %29, label %31

29:
  %30 = lshr i64 %27, 6
  br label %38

31:
  %32 = tail call i64 @llvm.ctlz.i64(i64 %27, i1 true)
  %33 = sub nuw nsw i64 60, %32
  %34 = lshr i64 %27, %33
  %35 = shl nuw nsw i64 %32, 3
  %36 = sub nsw i64 %34, %35
  %37 = add nsw i64 %36, 432
  br label %38

38:
  %39 = phi i64 [ %30, %29 ], [ %37, %31 ]
  %40 = tail call fastcc ptr @memory_take(i64 %39)
  %41 = icmp eq ptr %40, null
  br i1 %41, label %42, label %49

42:
  %43 = load i64, ptr %13, align 8
  %44 = tail call ptr @PyLong_FromSsize_t(i64 %43)
  %45 = icmp eq ptr %44, null
  br i1 %45, label %51, label %46

46:
  %47 = load ptr, ptr @block_failure, align 8
  %48 = tail call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %47, ptr %44, ptr null)
  tail call void @Py_DecRef(ptr %44)
  br label %51

49:
  %50 = tail call fastcc ptr @run_plan(ptr %0, ptr %6, ptr %1, ptr %40)
  tail call fastcc void @memory_release(ptr %40, i64 %39)
  br label %51

51:
  %52 = phi ptr [ %11, %9 ], [ %17, %16 ], [ null, %23 ], [ %50, %49 ], [ null, %20 ], [ null, %42 ], [ null, %46 ]
  ret ptr %52
}

declare ptr @PyBytes_AsString(ptr)

declare ptr @PyTuple_GetItem(ptr, i64)

declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)

define internal fastcc ptr @run_plan(ptr %0, ptr %1, ptr %2, ptr %3) nounwind {
  %5 = alloca i32, align 4
  store i32 0, ptr %5, align 4
  %6 = load i64, ptr %1, align 8
  %7 = load ptr, ptr @block_type, align 8
  %8 = load ptr, ptr @array_type, align 8
  %9 = icmp slt i64 %6, 1
  br i1 %9, label %36, label %10

10:
  %11 = load i64, ptr @SYSTEM, align 8
  br label %12

12:
  %13 = phi i64 [ 0, %10 ], [ %32, %31 ]
  %14 = getelementptr inbounds nuw ptr, ptr %2, i64 %13
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr inbounds i8, ptr %15, i64 %11
  %17 = getelementptr inbounds i8, ptr %16, i64 -8
  %18 = load ptr, ptr %17, align 8
  %19 = icmp eq ptr %18, %7
  %20 = icmp eq ptr %18, %8
  %21 = select i1 %19, i1 true, i1 %20
  %22 = getelementptr inbounds nuw ptr, ptr %3, i64 %13
  br i1 %21, label %23, label %25

23:
  %24 = load ptr, ptr %16, align 8
  store ptr %24, ptr %22, align 8
  br label %31

25:
  %26 = tail call ptr @PyLong_AsVoidPtr(ptr %15)
  store ptr %26, ptr %22, align 8
  %27 = icmp eq ptr %26, null
  br i1 %27, label %28, label %31

28:
  %29 = tail call ptr @PyErr_Occurred()
  %30 = icmp eq ptr %29, null
  br i1 %30, label %31, label %288

31:
  %32 = add nuw nsw i64 %13, 1
  %33 = icmp eq i64 %32, %6
  br i1 %33, label %34, label %12

34:
  %35 = load i64, ptr %1, align 8
  br label %36

36:
  %37 = phi i64 [ %35, %34 ], [ %6, %4 ]
  %38 = getelementptr inbounds ptr, ptr %3, i64 %37
  %39 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %40 = load i64, ptr %39, align 8
  %41 = getelementptr inbounds ptr, ptr %3, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %1, i64 80
  %43 = load i64, ptr %42, align 8
  %44 = getelementptr inbounds i64, ptr %1, i64 %43
  %45 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %46 = load i64, ptr %45, align 8
  switch i64 %46, label %56 [
    i64 0, label %47
    i64 1, label %48
  ]

47:
  tail call void @Py_IncRef(ptr @Py_None)
  br label %78

48:
  %49 = load i64, ptr %44, align 8
  %50 = tail call fastcc ptr @block_new(i64 %49)
  %51 = icmp eq ptr %50, null
  br i1 %51, label %288, label %52

52:
  %53 = load i64, ptr @SYSTEM, align 8
  %54 = getelementptr inbounds i8, ptr %50, i64 %53
  %55 = load ptr, ptr %54, align 8
  store ptr %55, ptr %38, align 8
  br label %78

56:
  %57 = tail call ptr @PyTuple_New(i64 %46)
  %58 = icmp eq ptr %57, null
  %59 = icmp slt i64 %46, 1
  %60 = or i1 %59, %58
  br i1 %60, label %77, label %61

61:
  %62 = load i64, ptr @SYSTEM, align 8
  br label %63

63:
  %64 = phi i64 [ 0, %61 ], [ %75, %70 ]
  %65 = getelementptr inbounds nuw i64, ptr %44, i64 %64
  %66 = load i64, ptr %65, align 8
  %67 = tail call fastcc ptr @block_new(i64 %66)
  %68 = icmp eq ptr %67, null
  br i1 %68, label %69, label %70

69:
  tail call void @Py_DecRef(ptr %57)
  br label %288

70:
  %71 = getelementptr inbounds i8, ptr %67, i64 %62
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr inbounds nuw ptr, ptr %38, i64 %64
  store ptr %72, ptr %73, align 8
  %74 = tail call i32 @PyTuple_SetItem(ptr %57, i64 %64, ptr %67)
  %75 = add nuw nsw i64 %64, 1
  %76 = icmp eq i64 %75, %46
  br i1 %76, label %78, label %63

77:
  br i1 %58, label %288, label %78

78:
  %79 = phi ptr [ %57, %77 ], [ @Py_None, %47 ], [ %50, %52 ], [ %57, %70 ]
  %80 = load i64, ptr %45, align 8
  %81 = getelementptr inbounds ptr, ptr %38, i64 %80
  %82 = getelementptr inbounds nuw i8, ptr %1, i64 88
  %83 = load i64, ptr %82, align 8
  %84 = getelementptr inbounds i64, ptr %1, i64 %83
  %85 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %86 = load i64, ptr %85, align 8
  %87 = icmp sgt i64 %86, 0
  br i1 %87, label %88, label %101

88:
  %89 = ptrtoint ptr %3 to i64
  br label %90

90:
  %91 = phi i64 [ 0, %88 ], [ %97, %90 ]
  %92 = getelementptr inbounds nuw i64, ptr %84, i64 %91
  %93 = load i64, ptr %92, align 8
  %94 = add i64 %93, %89
  %95 = inttoptr i64 %94 to ptr
  %96 = getelementptr inbounds nuw ptr, ptr %81, i64 %91
  store ptr %95, ptr %96, align 8
  %97 = add nuw nsw i64 %91, 1
  %98 = icmp eq i64 %97, %86
  br i1 %98, label %99, label %90

99:
  %100 = load i64, ptr %85, align 8
  br label %101

101:
  %102 = phi i64 [ %100, %99 ], [ %86, %78 ]
  %103 = getelementptr inbounds ptr, ptr %81, i64 %102
  %104 = getelementptr inbounds nuw i8, ptr %1, i64 96
  %105 = load i64, ptr %104, align 8
  %106 = getelementptr inbounds i64, ptr %1, i64 %105
  %107 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %108 = load i64, ptr %107, align 8
  %109 = icmp sgt i64 %108, 0
  br i1 %109, label %110, label %120

110:
  %111 = phi i64 [ %116, %110 ], [ 0, %101 ]
  %112 = getelementptr inbounds nuw i64, ptr %106, i64 %111
  %113 = load i64, ptr %112, align 8
  %114 = inttoptr i64 %113 to ptr
  %115 = getelementptr inbounds nuw ptr, ptr %103, i64 %111
  store ptr %114, ptr %115, align 8
  %116 = add nuw nsw i64 %111, 1
  %117 = icmp eq i64 %116, %108
  br i1 %117, label %118, label %110

118:
  %119 = load i64, ptr %107, align 8
  br label %120

120:
  %121 = phi i64 [ %119, %118 ], [ %108, %101 ]
  %122 = getelementptr inbounds ptr, ptr %103, i64 %121
  store ptr %5, ptr %122, align 8
  %123 = getelementptr inbounds nuw i8, ptr %1, i64 104
  %124 = load i64, ptr %123, align 8
  %125 = getelementptr inbounds i64, ptr %1, i64 %124
  %126 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %127 = load i64, ptr %126, align 8
  %128 = icmp sgt i64 %127, 0
  br i1 %128, label %129, label %179

129:
  %130 = and i64 %127, 3
  %131 = icmp ult i64 %127, 4
  br i1 %131, label %165, label %132

132:
  %133 = and i64 %127, 9223372036854775804
  br label %134

134:
  %135 = phi i64 [ 0, %132 ], [ %160, %134 ]
  %136 = phi i64 [ 0, %132 ], [ %161, %134 ]
  %137 = getelementptr inbounds nuw i64, ptr %125, i64 %135
  %138 = load i64, ptr %137, align 8
  %139 = getelementptr inbounds ptr, ptr %3, i64 %138
  %140 = load ptr, ptr %139, align 8
  %141 = getelementptr inbounds nuw ptr, ptr %41, i64 %135
  store ptr %140, ptr %141, align 8
  %142 = or disjoint i64 %135, 1
  %143 = getelementptr inbounds nuw i64, ptr %125, i64 %142
  %144 = load i64, ptr %143, align 8
  %145 = getelementptr inbounds ptr, ptr %3, i64 %144
  %146 = load ptr, ptr %145, align 8
  %147 = getelementptr inbounds nuw ptr, ptr %41, i64 %142
  store ptr %146, ptr %147, align 8
  %148 = or disjoint i64 %135, 2
  %149 = getelementptr inbounds nuw i64, ptr %125, i64 %148
  %150 = load i64, ptr %149, align 8
  %151 = getelementptr inbounds ptr, ptr %3, i64 %150
  %152 = load ptr, ptr %151, align 8
  %153 = getelementptr inbounds nuw ptr, ptr %41, i64 %148
  store ptr %152, ptr %153, align 8
  %154 = or disjoint i64 %135, 3
  %155 = getelementptr inbounds nuw i64, ptr %125, i64 %154
  %156 = load i64, ptr %155, align 8
  %157 = getelementptr inbounds ptr, ptr %3, i64 %156
  %158 = load ptr, ptr %157, align 8
  %159 = getelementptr inbounds nuw ptr, ptr %41, i64 %154
  store ptr %158, ptr %159, align 8
  %160 = add nuw nsw i64 %135, 4
  %161 = add i64 %136, 4
  %162 = icmp eq i64 %161, %133
  br i1 %162, label %163, label %134

163:
  %164 = icmp eq i64 %130, 0
  br i1 %164, label %179, label %165

165:
  %166 = phi i64 [ 0, %129 ], [ %160, %163 ]
  %167 = icmp ne i64 %130, 0
  call void @llvm.assume(i1 %167)
  br label %168

168:
  %169 = phi i64 [ %176, %168 ], [ %166, %165 ]
  %170 = phi i64 [ %177, %168 ], [ 0, %165 ]
  %171 = getelementptr inbounds nuw i64, ptr %125, i64 %169
  %172 = load i64, ptr %171, align 8
  %173 = getelementptr inbounds ptr, ptr %3, i64 %172
  %174 = load ptr, ptr %173, align 8
  %175 = getelementptr inbounds nuw ptr, ptr %41, i64 %169
  store ptr %174, ptr %175, align 8
  %176 = add nuw nsw i64 %169, 1
  %177 = add i64 %170, 1
  %178 = icmp eq i64 %177, %130
  br i1 %178, label %179, label %168

179:
  %180 = getelementptr inbounds nuw i8, ptr %1, i64 112
  %181 = load i64, ptr %180, align 8
  %182 = getelementptr inbounds i64, ptr %1, i64 %181
  %183 = load ptr, ptr @record, align 8
  %184 = icmp eq ptr %183, null
  br i1 %184, label %188, label %185

185:
  %186 = getelementptr inbounds nuw i8, ptr %183, i64 48
  %187 = load ptr, ptr %186, align 8
  call void %187(ptr %0, ptr %1, ptr %182, ptr %41)
  br label %270

188:
  %189 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %190 = load i64, ptr %189, align 8
  %191 = icmp eq i64 %190, 0
  br i1 %191, label %192, label %254

192:
  %193 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %194 = load i64, ptr %193, align 8
  %195 = icmp sgt i64 %194, 0
  br i1 %195, label %196, label %270

196:
  %197 = phi i64 [ %252, %249 ], [ 0, %192 ]
  %198 = phi ptr [ %251, %249 ], [ %182, %192 ]
  %199 = getelementptr inbounds nuw i8, ptr %198, i64 24
  %200 = getelementptr inbounds nuw i8, ptr %198, i64 8
  %201 = load i64, ptr %200, align 8
  %202 = icmp sgt i64 %201, 0
  %203 = load i64, ptr %198, align 8
  br i1 %202, label %204, label %249

204:
  %205 = phi i64 [ %245, %244 ], [ %201, %196 ]
  %206 = phi i64 [ %246, %244 ], [ %203, %196 ]
  %207 = phi i64 [ %247, %244 ], [ 0, %196 ]
  %208 = icmp sgt i64 %206, 0
  br i1 %208, label %209, label %244

209:
  %210 = phi i64 [ %237, %236 ], [ %206, %204 ]
  %211 = phi i64 [ %238, %236 ], [ %206, %204 ]
  %212 = phi ptr [ %239, %236 ], [ %199, %204 ]
  %213 = load ptr, ptr %212, align 8
  %214 = getelementptr inbounds nuw i8, ptr %212, i64 32
  %215 = load i64, ptr %214, align 8
  %216 = getelementptr inbounds ptr, ptr %41, i64 %215
  %217 = getelementptr inbounds nuw i8, ptr %212, i64 40
  %218 = load i64, ptr %217, align 8
  %219 = mul i64 %218, %207
  %220 = getelementptr inbounds ptr, ptr %216, i64 %219
  %221 = getelementptr inbounds nuw i8, ptr %212, i64 8
  %222 = load i64, ptr %221, align 8
  %223 = getelementptr inbounds nuw i8, ptr %212, i64 16
  %224 = load i64, ptr %223, align 8
  %225 = icmp sgt i64 %222, 0
  br i1 %225, label %226, label %236

226:
  %227 = phi i64 [ %231, %226 ], [ 0, %209 ]
  %228 = phi i64 [ %232, %226 ], [ 0, %209 ]
  %229 = sub i64 %222, %227
  %230 = call i64 @llvm.smin.i64(i64 %224, i64 %229)
  %231 = add i64 %230, %227
  call void %213(ptr %220, i64 %227, i64 %231, i64 %228)
  %232 = add i64 %228, 1
  %233 = icmp slt i64 %231, %222
  br i1 %233, label %226, label %234

234:
  %235 = load i64, ptr %198, align 8
  br label %236

236:
  %237 = phi i64 [ %235, %234 ], [ %210, %209 ]
  %238 = phi i64 [ %235, %234 ], [ %211, %209 ]
  %239 = getelementptr inbounds nuw i8, ptr %212, i64 48
  %240 = getelementptr inbounds %struct.Step, ptr %199, i64 %238
  %241 = icmp ult ptr %239, %240
  br i1 %241, label %209, label %242

242:
  %243 = load i64, ptr %200, align 8
  br label %244

244:
  %245 = phi i64 [ %243, %242 ], [ %205, %204 ]
  %246 = phi i64 [ %237, %242 ], [ %206, %204 ]
  %247 = add nuw nsw i64 %207, 1
  %248 = icmp slt i64 %247, %245
  br i1 %248, label %204, label %249

249:
  %250 = phi i64 [ %203, %196 ], [ %246, %244 ]
  %251 = getelementptr inbounds %struct.Step, ptr %199, i64 %250
  %252 = add nuw nsw i64 %197, 1
  %253 = icmp eq i64 %252, %194
  br i1 %253, label %270, label %196

254:
  %255 = call ptr @PyEval_SaveThread()
  %256 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %257 = load i64, ptr %256, align 8
  %258 = load i64, ptr %189, align 8
  %259 = icmp eq i64 %258, 2
  %260 = icmp sgt i64 %257, 0
  br i1 %260, label %261, label %269

261:
  %262 = phi i64 [ %267, %261 ], [ 0, %254 ]
  %263 = phi ptr [ %266, %261 ], [ %182, %254 ]
  call fastcc void @run_stage(ptr %263, ptr %41, i1 %259)
  %264 = getelementptr inbounds nuw i8, ptr %263, i64 24
  %265 = load i64, ptr %263, align 8
  %266 = getelementptr inbounds %struct.Step, ptr %264, i64 %265
  %267 = add nuw nsw i64 %262, 1
  %268 = icmp eq i64 %267, %257
  br i1 %268, label %269, label %261

269:
  call void @PyEval_RestoreThread(ptr %255)
  br label %270

270:
  %271 = load i32, ptr %5, align 4
  %272 = icmp eq i32 %271, 0
  br i1 %272, label %288, label %273

273:
  call void @Py_DecRef(ptr %79)
  %274 = load i32, ptr %5, align 4
  %275 = icmp eq i32 %274, -1
  br i1 %275, label %288, label %276

276:
  %277 = sext i32 %274 to i64
  %278 = call ptr @PyLong_FromSsize_t(i64 %277)
  %279 = icmp eq ptr %278, null
  br i1 %279, label %288, label %280

280:
  %281 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %282 = load ptr, ptr %281, align 8
  %283 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %282, ptr %278, ptr null)
  call void @Py_DecRef(ptr %278)
  %284 = icmp eq ptr %283, null
  br i1 %284, label %288, label %285

285:
  call void @Py_DecRef(ptr %283)
  %286 = load ptr, ptr @entry_failure, align 8
  %287 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %286, ptr null)
  br label %288

288:
  %289 = phi ptr [ null, %273 ], [ null, %77 ], [ %79, %270 ], [ null, %285 ], [ null, %48 ], [ null, %276 ], [ null, %280 ], [ null, %69 ], [ null, %28 ]
  ret ptr %289
}

define internal fastcc ptr @memory_take(i64 %0) nounwind {
  %2 = icmp samesign ult i64 %0, 16
  br i1 %2, label %3, label %6

3:
  %4 = shl nuw nsw i64 %0, 6
  %5 = add nuw nsw i64 %4, 64
  br label %13

6:
  %7 = add nsw i64 %0, -16
  %8 = and i64 %0, 7
  %9 = add nuw nsw i64 %8, 9
  %10 = lshr i64 %7, 3
  %11 = add nuw nsw i64 %10, 7
  %12 = shl i64 %9, %11
  br label %13

13:
  %14 = phi i64 [ %5, %3 ], [ %12, %6 ]
  %15 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %20, label %17

17:
  tail call void @relax()
  %18 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %20, label %17

20:
  %21 = getelementptr inbounds nuw ptr, ptr @lists, i64 %0
  %22 = load ptr, ptr %21, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %93, label %24

24:
  %25 = icmp samesign ugt i64 %0, 79
  %26 = load ptr, ptr %22, align 8
  br i1 %25, label %27, label %71

27:
  %28 = getelementptr inbounds nuw i8, ptr %22, i64 8
  %29 = load ptr, ptr %28, align 8
  %30 = icmp eq ptr %29, null
  br i1 %30, label %31, label %35

31:
  %32 = getelementptr inbounds nuw i8, ptr %22, i64 32
  %33 = load i64, ptr %32, align 8
  %34 = getelementptr inbounds ptr, ptr @lists, i64 %33
  br label %35

35:
  %36 = phi ptr [ %34, %31 ], [ %29, %27 ]
  store ptr %26, ptr %36, align 8
  %37 = load ptr, ptr %22, align 8
  %38 = icmp eq ptr %37, null
  br i1 %38, label %42, label %39

39:
  %40 = load ptr, ptr %28, align 8
  %41 = getelementptr inbounds nuw i8, ptr %37, i64 8
  store ptr %40, ptr %41, align 8
  br label %42

42:
  %43 = getelementptr inbounds nuw i8, ptr %22, i64 24
  %44 = load ptr, ptr %43, align 8
  %45 = getelementptr inbounds nuw i8, ptr %22, i64 16
  %46 = load ptr, ptr %45, align 8
  %47 = icmp eq ptr %46, null
  %48 = getelementptr inbounds nuw i8, ptr %46, i64 24
  %49 = select i1 %47, ptr @oldest, ptr %48
  store ptr %44, ptr %49, align 8
  %50 = load ptr, ptr %45, align 8
  %51 = icmp eq ptr %44, null
  %52 = getelementptr inbounds nuw i8, ptr %44, i64 16
  %53 = select i1 %51, ptr @newest, ptr %52
  store ptr %50, ptr %53, align 8
  %54 = getelementptr inbounds nuw i8, ptr %22, i64 32
  %55 = load i64, ptr %54, align 8
  %56 = icmp slt i64 %55, 16
  br i1 %56, label %57, label %60

57:
  %58 = shl i64 %55, 6
  %59 = add i64 %58, 64
  br label %67

60:
  %61 = add nsw i64 %55, -16
  %62 = and i64 %55, 7
  %63 = add nuw nsw i64 %62, 9
  %64 = lshr i64 %61, 3
  %65 = add nuw nsw i64 %64, 7
  %66 = shl i64 %63, %65
  br label %67

67:
  %68 = phi i64 [ %59, %57 ], [ %66, %60 ]
  %69 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  %70 = sub i64 %69, %68
  store i64 %70, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 16), align 16
  br label %86

71:
  store ptr %26, ptr %21, align 8
  br i1 %2, label %72, label %75

72:
  %73 = shl nuw nsw i64 %0, 6
  %74 = add nuw nsw i64 %73, 64
  br label %82

75:
  %76 = add nsw i64 %0, -16
  %77 = and i64 %0, 7
  %78 = add nuw nsw i64 %77, 9
  %79 = lshr i64 %76, 3
  %80 = add nuw nsw i64 %79, 7
  %81 = shl nuw nsw i64 %78, %80
  br label %82

82:
  %83 = phi i64 [ %74, %72 ], [ %81, %75 ]
  %84 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  %85 = sub i64 %84, %83
  store i64 %85, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  br label %86

86:
  %87 = load i64, ptr @memory_state, align 64
  %88 = add i64 %87, %14
  store i64 %88, ptr @memory_state, align 64
  %89 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 8), align 8
  %90 = tail call i64 @llvm.smax.i64(i64 %89, i64 %88)
  store i64 %90, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 8), align 8
  %91 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  %92 = add i64 %91, 1
  store i64 %92, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  br label %145

93:
  store atomic i32 0, ptr @memory_lock release, align 64
  %94 = tail call fastcc ptr @system_take(i64 %0)
  %95 = icmp eq ptr %94, null
  br i1 %95, label %96, label %129

96:
  tail call fastcc void @evict(i64 0)
  br label %97

97:
  %98 = phi i64 [ 0, %96 ], [ %124, %123 ]
  %99 = getelementptr inbounds nuw ptr, ptr @lists, i64 %98
  %100 = icmp samesign ult i64 %98, 16
  %101 = add nsw i64 %98, -16
  %102 = and i64 %98, 7
  %103 = add nuw nsw i64 %102, 9
  %104 = lshr i64 %101, 3
  %105 = add nuw nsw i64 %104, 7
  %106 = shl i64 %103, %105
  %107 = shl i64 %98, 6
  %108 = add nuw nsw i64 %107, 64
  %109 = select i1 %100, i64 %108, i64 %106
  br label %110

110:
  %111 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %112 = icmp eq i32 %111, 0
  br i1 %112, label %116, label %113

113:
  tail call void @relax()
  %114 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %115 = icmp eq i32 %114, 0
  br i1 %115, label %116, label %113

116:
  %117 = load ptr, ptr %99, align 8
  %118 = icmp eq ptr %117, null
  br i1 %118, label %123, label %119

119:
  %120 = load ptr, ptr %117, align 8
  store ptr %120, ptr %99, align 8
  %121 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  %122 = sub i64 %121, %109
  store i64 %122, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 24), align 8
  store atomic i32 0, ptr @memory_lock release, align 64
  tail call void @free(ptr %117)
  br label %110

123:
  store atomic i32 0, ptr @memory_lock release, align 64
  %124 = add nuw nsw i64 %98, 1
  %125 = icmp eq i64 %124, 80
  br i1 %125, label %126, label %97

126:
  %127 = tail call fastcc ptr @system_take(i64 %0)
  %128 = icmp eq ptr %127, null
  br i1 %128, label %147, label %129

129:
  %130 = phi ptr [ %127, %126 ], [ %94, %93 ]
  %131 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %132 = icmp eq i32 %131, 0
  br i1 %132, label %136, label %133

133:
  tail call void @relax()
  %134 = atomicrmw xchg ptr @memory_lock, i32 1 acquire, align 64
  %135 = icmp eq i32 %134, 0
  br i1 %135, label %136, label %133

136:
  %137 = load i64, ptr @memory_state, align 64
  %138 = add i64 %137, %14
  store i64 %138, ptr @memory_state, align 64
  %139 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 8), align 8
  %140 = tail call i64 @llvm.smax.i64(i64 %139, i64 %138)
  store i64 %140, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 8), align 8
  %141 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  %142 = add i64 %141, 1
  store i64 %142, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 48), align 16
  %143 = load i64, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 56), align 8
  %144 = add i64 %143, 1
  store i64 %144, ptr getelementptr inbounds nuw (i8, ptr @memory_state, i64 56), align 8
  br label %145

145:
  %146 = phi ptr [ %130, %136 ], [ %22, %86 ]
  store atomic i32 0, ptr @memory_lock release, align 64
  br label %147

147:
  %148 = phi ptr [ null, %126 ], [ %146, %145 ]
  ret ptr %148
}

define void @copy_bytes(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds i8, ptr %6, i64 %1
  %8 = load ptr, ptr %0, align 8
  %9 = getelementptr inbounds i8, ptr %8, i64 %1
  %10 = sub i64 %2, %1
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %7, ptr align 1 %9, i64 %10, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @loop(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 24
  tail call fastcc void @run_loop(ptr %5, ptr %7, ptr %9, ptr %10)
  ret void
}

define internal fastcc void @run_loop(ptr %0, ptr %1, ptr %2, ptr %3) nounwind {
  %5 = alloca [2 x i64], align 16
  %6 = alloca [2 x ptr], align 16
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %8 = load i64, ptr %7, align 8
  %9 = getelementptr inbounds ptr, ptr %1, i64 %8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds ptr, ptr %1, i64 %11
  %13 = shl i64 %11, 3
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %1, ptr align 8 %3, i64 %13, i1 false)
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds i64, ptr %0, i64 %15
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %18 = load i64, ptr %17, align 8
  %19 = icmp sgt i64 %18, 0
  br i1 %19, label %20, label %33

20:
  %21 = ptrtoint ptr %1 to i64
  br label %22

22:
  %23 = phi i64 [ 0, %20 ], [ %29, %22 ]
  %24 = getelementptr inbounds nuw i64, ptr %16, i64 %23
  %25 = load i64, ptr %24, align 8
  %26 = add i64 %25, %21
  %27 = inttoptr i64 %26 to ptr
  %28 = getelementptr inbounds nuw ptr, ptr %12, i64 %23
  store ptr %27, ptr %28, align 8
  %29 = add nuw nsw i64 %23, 1
  %30 = icmp eq i64 %29, %18
  br i1 %30, label %31, label %22

31:
  %32 = load i64, ptr %17, align 8
  br label %33

33:
  %34 = phi i64 [ %32, %31 ], [ %18, %4 ]
  %35 = getelementptr inbounds ptr, ptr %12, i64 %34
  %36 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %37 = load i64, ptr %36, align 8
  %38 = getelementptr inbounds i64, ptr %0, i64 %37
  %39 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %40 = load i64, ptr %39, align 8
  %41 = icmp sgt i64 %40, 0
  br i1 %41, label %42, label %52

42:
  %43 = phi i64 [ %48, %42 ], [ 0, %33 ]
  %44 = getelementptr inbounds nuw i64, ptr %38, i64 %43
  %45 = load i64, ptr %44, align 8
  %46 = inttoptr i64 %45 to ptr
  %47 = getelementptr inbounds nuw ptr, ptr %35, i64 %43
  store ptr %46, ptr %47, align 8
  %48 = add nuw nsw i64 %43, 1
  %49 = icmp eq i64 %48, %40
  br i1 %49, label %50, label %42

50:
  %51 = load i64, ptr %39, align 8
  br label %52

52:
  %53 = phi i64 [ %51, %50 ], [ %40, %33 ]
  %54 = getelementptr inbounds ptr, ptr %35, i64 %53
  store ptr %2, ptr %54, align 8
  %55 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %56 = load i64, ptr %55, align 8
  %57 = getelementptr inbounds i64, ptr %0, i64 %56
  %58 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %59 = load i64, ptr %58, align 8
  %60 = icmp sgt i64 %59, 0
  br i1 %60, label %61, label %89

61:
  %62 = phi ptr [ %85, %84 ], [ %57, %52 ]
  %63 = load i64, ptr %62, align 8
  %64 = getelementptr inbounds ptr, ptr %1, i64 %63
  %65 = load ptr, ptr %64, align 8
  %66 = getelementptr inbounds nuw i8, ptr %62, i64 8
  %67 = load i64, ptr %66, align 8
  %68 = getelementptr inbounds ptr, ptr %1, i64 %67
  %69 = load ptr, ptr %68, align 8
  %70 = getelementptr inbounds nuw i8, ptr %62, i64 32
  %71 = load i64, ptr %70, align 8
  switch i64 %71, label %84 [
    i64 0, label %72
    i64 2, label %77
  ]

72:
  store ptr %69, ptr %64, align 8
  %73 = icmp eq ptr %65, %69
  br i1 %73, label %84, label %74

74:
  %75 = getelementptr inbounds nuw i8, ptr %62, i64 24
  %76 = load i64, ptr %75, align 8
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %69, ptr align 1 %65, i64 %76, i1 false)
  br label %84

77:
  %78 = getelementptr inbounds nuw i8, ptr %62, i64 16
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds ptr, ptr %1, i64 %79
  %81 = load ptr, ptr %80, align 8
  store ptr %81, ptr %68, align 8
  %82 = load i64, ptr %78, align 8
  %83 = getelementptr inbounds ptr, ptr %1, i64 %82
  store ptr %69, ptr %83, align 8
  br label %84

84:
  %85 = getelementptr inbounds nuw i8, ptr %62, i64 40
  %86 = load i64, ptr %58, align 8
  %87 = getelementptr inbounds %struct.Carry, ptr %57, i64 %86
  %88 = icmp ult ptr %85, %87
  br i1 %88, label %61, label %89

89:
  %90 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %91 = load i64, ptr %90, align 8
  %92 = getelementptr inbounds i64, ptr %0, i64 %91
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %94 = load i64, ptr %93, align 8
  %95 = icmp sgt i64 %94, 0
  br i1 %95, label %159, label %96

96:
  %97 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %98 = load i64, ptr %97, align 8
  %99 = getelementptr inbounds i64, ptr %0, i64 %98
  %100 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %101 = load i64, ptr %100, align 8
  %102 = icmp sgt i64 %101, 0
  br i1 %102, label %103, label %153

103:
  %104 = and i64 %101, 3
  %105 = icmp ult i64 %101, 4
  br i1 %105, label %139, label %106

106:
  %107 = and i64 %101, 9223372036854775804
  br label %108

108:
  %109 = phi i64 [ 0, %106 ], [ %134, %108 ]
  %110 = phi i64 [ 0, %106 ], [ %135, %108 ]
  %111 = getelementptr inbounds nuw i64, ptr %99, i64 %109
  %112 = load i64, ptr %111, align 8
  %113 = getelementptr inbounds ptr, ptr %1, i64 %112
  %114 = load ptr, ptr %113, align 8
  %115 = getelementptr inbounds nuw ptr, ptr %9, i64 %109
  store ptr %114, ptr %115, align 8
  %116 = or disjoint i64 %109, 1
  %117 = getelementptr inbounds nuw i64, ptr %99, i64 %116
  %118 = load i64, ptr %117, align 8
  %119 = getelementptr inbounds ptr, ptr %1, i64 %118
  %120 = load ptr, ptr %119, align 8
  %121 = getelementptr inbounds nuw ptr, ptr %9, i64 %116
  store ptr %120, ptr %121, align 8
  %122 = or disjoint i64 %109, 2
  %123 = getelementptr inbounds nuw i64, ptr %99, i64 %122
  %124 = load i64, ptr %123, align 8
  %125 = getelementptr inbounds ptr, ptr %1, i64 %124
  %126 = load ptr, ptr %125, align 8
  %127 = getelementptr inbounds nuw ptr, ptr %9, i64 %122
  store ptr %126, ptr %127, align 8
  %128 = or disjoint i64 %109, 3
  %129 = getelementptr inbounds nuw i64, ptr %99, i64 %128
  %130 = load i64, ptr %129, align 8
  %131 = getelementptr inbounds ptr, ptr %1, i64 %130
  %132 = load ptr, ptr %131, align 8
  %133 = getelementptr inbounds nuw ptr, ptr %9, i64 %128
  store ptr %132, ptr %133, align 8
  %134 = add nuw nsw i64 %109, 4
  %135 = add i64 %110, 4
  %136 = icmp eq i64 %135, %107
  br i1 %136, label %137, label %108

137:
  %138 = icmp eq i64 %104, 0
  br i1 %138, label %153, label %139

139:
  %140 = phi i64 [ 0, %103 ], [ %134, %137 ]
  %141 = icmp ne i64 %104, 0
  tail call void @llvm.assume(i1 %141)
  br label %142

142:
  %143 = phi i64 [ %150, %142 ], [ %140, %139 ]
  %144 = phi i64 [ %151, %142 ], [ 0, %139 ]
  %145 = getelementptr inbounds nuw i64, ptr %99, i64 %143
  %146 = load i64, ptr %145, align 8
  %147 = getelementptr inbounds ptr, ptr %1, i64 %146
  %148 = load ptr, ptr %147, align 8
  %149 = getelementptr inbounds nuw ptr, ptr %9, i64 %143
  store ptr %148, ptr %149, align 8
  %150 = add nuw nsw i64 %143, 1
  %151 = add i64 %144, 1
  %152 = icmp eq i64 %151, %104
  br i1 %152, label %153, label %142

153:
  %154 = load i64, ptr %0, align 8
  %155 = icmp slt i64 %154, 0
  %156 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %157 = load i64, ptr %156, align 8
  %158 = icmp eq i64 %157, 0
  br i1 %158, label %171, label %174

159:
  %160 = phi ptr [ %167, %159 ], [ %92, %89 ]
  %161 = getelementptr inbounds nuw i8, ptr %160, i64 8
  %162 = load i64, ptr %161, align 8
  %163 = load i64, ptr %160, align 8
  %164 = getelementptr inbounds ptr, ptr %1, i64 %163
  %165 = load ptr, ptr %164, align 8
  %166 = getelementptr inbounds i8, ptr %165, i64 %162
  store ptr %166, ptr %164, align 8
  %167 = getelementptr inbounds nuw i8, ptr %160, i64 24
  %168 = load i64, ptr %93, align 8
  %169 = getelementptr inbounds %struct.Sequence, ptr %92, i64 %168
  %170 = icmp ult ptr %167, %169
  br i1 %170, label %159, label %96

171:
  %172 = load i64, ptr %93, align 8
  %173 = icmp ne i64 %172, 0
  br label %174

174:
  %175 = phi i1 [ true, %153 ], [ %173, %171 ]
  %176 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %177 = load i64, ptr %176, align 8
  %178 = getelementptr inbounds ptr, ptr %1, i64 %177
  %179 = load ptr, ptr %178, align 8
  store ptr %179, ptr %6, align 16
  %180 = getelementptr inbounds nuw i8, ptr %6, i64 8
  store ptr %179, ptr %180, align 8
  %181 = tail call i64 @llvm.umin.i64(i64 %154, i64 9223372036854775807)
  %182 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %183 = load i64, ptr %182, align 8
  %184 = icmp slt i64 %183, 0
  br i1 %184, label %199, label %185

185:
  %186 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %187 = load i64, ptr %186, align 8
  %188 = icmp slt i64 %187, 0
  br i1 %188, label %199, label %189

189:
  br i1 %158, label %190, label %200

190:
  %191 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %192 = load i64, ptr %191, align 8
  %193 = icmp eq i64 %192, 0
  br i1 %193, label %194, label %203

194:
  %195 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %196 = load i64, ptr %195, align 8
  %197 = icmp ne i64 %196, 0
  %198 = zext i1 %197 to i64
  br label %203

199:
  br i1 %158, label %203, label %200

200:
  %201 = phi i64 [ 9223372036854775807, %199 ], [ 3, %189 ]
  %202 = load i64, ptr %100, align 8
  br label %203

203:
  %204 = phi i64 [ %201, %200 ], [ 9223372036854775807, %199 ], [ 2, %190 ], [ %198, %194 ]
  %205 = phi i64 [ %202, %200 ], [ 0, %199 ], [ 0, %190 ], [ 0, %194 ]
  %206 = icmp ne i64 %205, 0
  %207 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %208 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %209 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %210 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %211 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %212 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %213 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %214 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %215 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %216 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %217 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %218 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %219 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %220 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %221 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 8), align 8
  %222 = trunc i64 %221 to i32
  %223 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %224 = icmp eq i64 %154, 0
  br i1 %224, label %700, label %225

225:
  %226 = phi i64 [ %657, %694 ], [ 0, %203 ]
  %227 = phi i64 [ %698, %694 ], [ 64, %203 ]
  %228 = phi i64 [ %697, %694 ], [ 64, %203 ]
  %229 = phi i64 [ %696, %694 ], [ 0, %203 ]
  %230 = phi i64 [ %695, %694 ], [ 0, %203 ]
  %231 = and i64 %226, 1
  %232 = mul nuw nsw i64 %231, %205
  %233 = getelementptr inbounds ptr, ptr %9, i64 %232
  %234 = xor i64 %231, 1
  %235 = mul nuw nsw i64 %234, %205
  %236 = getelementptr inbounds ptr, ptr %9, i64 %235
  %237 = icmp slt i64 %226, %204
  br i1 %237, label %440, label %238

238:
  %239 = icmp eq i64 %226, %204
  %240 = select i1 %239, i1 %206, i1 false
  br i1 %240, label %241, label %258

241:
  %242 = load i64, ptr %207, align 8
  %243 = getelementptr inbounds i64, ptr %0, i64 %242
  %244 = load i64, ptr %208, align 8
  %245 = mul nsw i64 %244, 24
  %246 = getelementptr inbounds i8, ptr %243, i64 %245
  %247 = icmp sgt i64 %244, 0
  br i1 %247, label %248, label %258

248:
  %249 = phi ptr [ %256, %248 ], [ %243, %241 ]
  %250 = getelementptr inbounds nuw i8, ptr %249, i64 16
  %251 = load i64, ptr %250, align 8
  %252 = load i64, ptr %249, align 8
  %253 = getelementptr inbounds ptr, ptr %236, i64 %252
  %254 = load ptr, ptr %253, align 8
  %255 = getelementptr inbounds i8, ptr %254, i64 %251
  store ptr %255, ptr %253, align 8
  %256 = getelementptr inbounds nuw i8, ptr %249, i64 24
  %257 = icmp ult ptr %256, %246
  br i1 %257, label %248, label %258

258:
  %259 = sub nsw i64 %181, %226
  %260 = call i64 @llvm.smin.i64(i64 %227, i64 %259)
  br i1 %155, label %261, label %332

261:
  %262 = getelementptr inbounds nuw ptr, ptr %6, i64 %234
  %263 = load ptr, ptr %262, align 8
  %264 = getelementptr inbounds nuw ptr, ptr %6, i64 %231
  %265 = load ptr, ptr %264, align 8
  %266 = load i64, ptr %210, align 8
  %267 = getelementptr inbounds i64, ptr %0, i64 %266
  %268 = load i64, ptr %209, align 8
  %269 = getelementptr inbounds i64, ptr %0, i64 %268
  %270 = load i64, ptr %211, align 8
  %271 = mul nsw i64 %270, 24
  %272 = getelementptr inbounds i8, ptr %267, i64 %271
  %273 = load i64, ptr %182, align 8
  %274 = mul nsw i64 %273, 24
  %275 = getelementptr inbounds i8, ptr %269, i64 %274
  %276 = load i64, ptr %207, align 8
  %277 = getelementptr inbounds i64, ptr %0, i64 %276
  %278 = load i64, ptr %208, align 8
  %279 = mul nsw i64 %278, 24
  %280 = getelementptr inbounds i8, ptr %277, i64 %279
  %281 = icmp sgt i64 %270, 0
  %282 = icmp sgt i64 %273, 0
  %283 = icmp sgt i64 %278, 0
  %284 = call i64 @llvm.smin.i64(i64 %260, i64 0)
  br label %285

285:
  %286 = phi ptr [ %263, %261 ], [ %288, %328 ]
  %287 = phi i64 [ %260, %261 ], [ %329, %328 ]
  %288 = phi ptr [ %265, %261 ], [ %286, %328 ]
  %289 = phi ptr [ %236, %261 ], [ %290, %328 ]
  %290 = phi ptr [ %233, %261 ], [ %289, %328 ]
  %291 = icmp sgt i64 %287, 0
  br i1 %291, label %292, label %377

292:
  br i1 %281, label %293, label %303

293:
  %294 = phi ptr [ %301, %293 ], [ %267, %292 ]
  %295 = load ptr, ptr %294, align 8
  %296 = getelementptr inbounds nuw i8, ptr %294, i64 16
  %297 = load i64, ptr %296, align 8
  %298 = getelementptr inbounds ptr, ptr %290, i64 %297
  %299 = getelementptr inbounds nuw i8, ptr %294, i64 8
  %300 = load i64, ptr %299, align 8
  call void %295(ptr %298, i64 0, i64 %300, i64 0)
  %301 = getelementptr inbounds nuw i8, ptr %294, i64 24
  %302 = icmp ult ptr %301, %272
  br i1 %302, label %293, label %303

303:
  %304 = load i8, ptr %288, align 1
  %305 = icmp eq i8 %304, 0
  br i1 %305, label %377, label %306

306:
  br i1 %282, label %307, label %317

307:
  %308 = phi ptr [ %315, %307 ], [ %269, %306 ]
  %309 = load ptr, ptr %308, align 8
  %310 = getelementptr inbounds nuw i8, ptr %308, i64 16
  %311 = load i64, ptr %310, align 8
  %312 = getelementptr inbounds ptr, ptr %290, i64 %311
  %313 = getelementptr inbounds nuw i8, ptr %308, i64 8
  %314 = load i64, ptr %313, align 8
  call void %309(ptr %312, i64 0, i64 %314, i64 0)
  %315 = getelementptr inbounds nuw i8, ptr %308, i64 24
  %316 = icmp ult ptr %315, %275
  br i1 %316, label %307, label %317

317:
  br i1 %283, label %318, label %328

318:
  %319 = phi ptr [ %326, %318 ], [ %277, %317 ]
  %320 = getelementptr inbounds nuw i8, ptr %319, i64 16
  %321 = load i64, ptr %320, align 8
  %322 = load i64, ptr %319, align 8
  %323 = getelementptr inbounds ptr, ptr %290, i64 %322
  %324 = load ptr, ptr %323, align 8
  %325 = getelementptr inbounds i8, ptr %324, i64 %321
  store ptr %325, ptr %323, align 8
  %326 = getelementptr inbounds nuw i8, ptr %319, i64 24
  %327 = icmp ult ptr %326, %280
  br i1 %327, label %318, label %328

328:
  %329 = add nsw i64 %287, -1
  %330 = load atomic i32, ptr %2 monotonic, align 4
  %331 = icmp eq i32 %330, 0
  br i1 %331, label %285, label %377

332:
  %333 = load i64, ptr %209, align 8
  %334 = getelementptr inbounds i64, ptr %0, i64 %333
  %335 = load i64, ptr %182, align 8
  %336 = mul nsw i64 %335, 24
  %337 = getelementptr inbounds i8, ptr %334, i64 %336
  %338 = load i64, ptr %207, align 8
  %339 = getelementptr inbounds i64, ptr %0, i64 %338
  %340 = load i64, ptr %208, align 8
  %341 = mul nsw i64 %340, 24
  %342 = getelementptr inbounds i8, ptr %339, i64 %341
  %343 = icmp sgt i64 %335, 0
  %344 = icmp sgt i64 %340, 0
  %345 = call i64 @llvm.smin.i64(i64 %260, i64 0)
  br label %346

346:
  %347 = phi i64 [ %260, %332 ], [ %374, %373 ]
  %348 = phi ptr [ %236, %332 ], [ %349, %373 ]
  %349 = phi ptr [ %233, %332 ], [ %348, %373 ]
  %350 = icmp sgt i64 %347, 0
  br i1 %350, label %351, label %377

351:
  br i1 %343, label %352, label %362

352:
  %353 = phi ptr [ %360, %352 ], [ %334, %351 ]
  %354 = load ptr, ptr %353, align 8
  %355 = getelementptr inbounds nuw i8, ptr %353, i64 16
  %356 = load i64, ptr %355, align 8
  %357 = getelementptr inbounds ptr, ptr %349, i64 %356
  %358 = getelementptr inbounds nuw i8, ptr %353, i64 8
  %359 = load i64, ptr %358, align 8
  call void %354(ptr %357, i64 0, i64 %359, i64 0)
  %360 = getelementptr inbounds nuw i8, ptr %353, i64 24
  %361 = icmp ult ptr %360, %337
  br i1 %361, label %352, label %362

362:
  br i1 %344, label %363, label %373

363:
  %364 = phi ptr [ %371, %363 ], [ %339, %362 ]
  %365 = getelementptr inbounds nuw i8, ptr %364, i64 16
  %366 = load i64, ptr %365, align 8
  %367 = load i64, ptr %364, align 8
  %368 = getelementptr inbounds ptr, ptr %349, i64 %367
  %369 = load ptr, ptr %368, align 8
  %370 = getelementptr inbounds i8, ptr %369, i64 %366
  store ptr %370, ptr %368, align 8
  %371 = getelementptr inbounds nuw i8, ptr %364, i64 24
  %372 = icmp ult ptr %371, %342
  br i1 %372, label %363, label %373

373:
  %374 = add nsw i64 %347, -1
  %375 = load atomic i32, ptr %2 monotonic, align 4
  %376 = icmp eq i32 %375, 0
  br i1 %376, label %346, label %377

377:
  %378 = phi i64 [ %284, %285 ], [ %287, %303 ], [ %329, %328 ], [ %374, %373 ], [ %345, %346 ]
  %379 = sub i64 %260, %378
  %380 = add i64 %379, %226
  %381 = sub i64 %227, %379
  %382 = icmp slt i64 %379, 1
  br i1 %382, label %438, label %383

383:
  %384 = add nsw i64 %379, -1
  %385 = load i64, ptr %90, align 8
  %386 = getelementptr inbounds i64, ptr %0, i64 %385
  %387 = load i64, ptr %93, align 8
  %388 = mul nsw i64 %387, 24
  %389 = getelementptr inbounds i8, ptr %386, i64 %388
  %390 = icmp sgt i64 %387, 0
  br i1 %390, label %391, label %402

391:
  %392 = phi ptr [ %400, %391 ], [ %386, %383 ]
  %393 = getelementptr inbounds nuw i8, ptr %392, i64 16
  %394 = load i64, ptr %393, align 8
  %395 = mul i64 %394, %384
  %396 = load i64, ptr %392, align 8
  %397 = getelementptr inbounds ptr, ptr %1, i64 %396
  %398 = load ptr, ptr %397, align 8
  %399 = getelementptr inbounds i8, ptr %398, i64 %395
  store ptr %399, ptr %397, align 8
  %400 = getelementptr inbounds nuw i8, ptr %392, i64 24
  %401 = icmp ult ptr %400, %389
  br i1 %401, label %391, label %402

402:
  %403 = load i64, ptr %55, align 8
  %404 = getelementptr inbounds i64, ptr %0, i64 %403
  %405 = load i64, ptr %212, align 8
  %406 = getelementptr inbounds %struct.Carry, ptr %404, i64 %405
  %407 = load i64, ptr %156, align 8
  %408 = icmp slt i64 %407, %405
  br i1 %408, label %409, label %421

409:
  %410 = getelementptr inbounds %struct.Carry, ptr %404, i64 %407
  br label %411

411:
  %412 = phi ptr [ %419, %411 ], [ %410, %409 ]
  %413 = getelementptr inbounds nuw i8, ptr %412, i64 16
  %414 = load i64, ptr %413, align 8
  %415 = getelementptr inbounds ptr, ptr %1, i64 %414
  %416 = load ptr, ptr %415, align 8
  %417 = load i64, ptr %412, align 8
  %418 = getelementptr inbounds ptr, ptr %1, i64 %417
  store ptr %416, ptr %418, align 8
  %419 = getelementptr inbounds nuw i8, ptr %412, i64 40
  %420 = icmp ult ptr %419, %406
  br i1 %420, label %411, label %421

421:
  %422 = load i64, ptr %90, align 8
  %423 = getelementptr inbounds i64, ptr %0, i64 %422
  %424 = load i64, ptr %93, align 8
  %425 = mul nsw i64 %424, 24
  %426 = getelementptr inbounds i8, ptr %423, i64 %425
  %427 = icmp sgt i64 %424, 0
  br i1 %427, label %428, label %438

428:
  %429 = phi ptr [ %436, %428 ], [ %423, %421 ]
  %430 = getelementptr inbounds nuw i8, ptr %429, i64 16
  %431 = load i64, ptr %430, align 8
  %432 = load i64, ptr %429, align 8
  %433 = getelementptr inbounds ptr, ptr %1, i64 %432
  %434 = load ptr, ptr %433, align 8
  %435 = getelementptr inbounds i8, ptr %434, i64 %431
  store ptr %435, ptr %433, align 8
  %436 = getelementptr inbounds nuw i8, ptr %429, i64 24
  %437 = icmp ult ptr %436, %426
  br i1 %437, label %428, label %438

438:
  %439 = icmp slt i64 %379, %260
  br i1 %439, label %700, label %655

440:
  %441 = load i64, ptr %214, align 8
  br i1 %155, label %442, label %483

442:
  %443 = load i64, ptr %211, align 8
  %444 = load i64, ptr %213, align 8
  %445 = icmp ne i64 %441, 0
  %446 = icmp slt i64 %443, 0
  br i1 %446, label %447, label %460

447:
  %448 = icmp sgt i64 %444, 0
  br i1 %448, label %449, label %476

449:
  %450 = load i64, ptr %215, align 8
  %451 = getelementptr inbounds i64, ptr %0, i64 %450
  br label %452

452:
  %453 = phi i64 [ %458, %452 ], [ 0, %449 ]
  %454 = phi ptr [ %457, %452 ], [ %451, %449 ]
  call fastcc void @run_stage(ptr %454, ptr %233, i1 %445)
  %455 = getelementptr inbounds nuw i8, ptr %454, i64 24
  %456 = load i64, ptr %454, align 8
  %457 = getelementptr inbounds %struct.Step, ptr %455, i64 %456
  %458 = add nuw nsw i64 %453, 1
  %459 = icmp eq i64 %458, %444
  br i1 %459, label %476, label %452

460:
  %461 = load i64, ptr %210, align 8
  %462 = getelementptr inbounds i64, ptr %0, i64 %461
  %463 = mul nuw nsw i64 %443, 24
  %464 = getelementptr inbounds nuw i8, ptr %462, i64 %463
  %465 = icmp eq i64 %443, 0
  br i1 %465, label %476, label %466

466:
  %467 = phi ptr [ %474, %466 ], [ %462, %460 ]
  %468 = load ptr, ptr %467, align 8
  %469 = getelementptr inbounds nuw i8, ptr %467, i64 16
  %470 = load i64, ptr %469, align 8
  %471 = getelementptr inbounds ptr, ptr %233, i64 %470
  %472 = getelementptr inbounds nuw i8, ptr %467, i64 8
  %473 = load i64, ptr %472, align 8
  call void %468(ptr %471, i64 0, i64 %473, i64 0)
  %474 = getelementptr inbounds nuw i8, ptr %467, i64 24
  %475 = icmp ult ptr %474, %464
  br i1 %475, label %466, label %476

476:
  %477 = getelementptr inbounds nuw ptr, ptr %6, i64 %231
  %478 = load ptr, ptr %477, align 8
  %479 = load i8, ptr %478, align 1
  %480 = icmp eq i8 %479, 0
  br i1 %480, label %700, label %481

481:
  %482 = load i64, ptr %214, align 8
  br label %483

483:
  %484 = phi i64 [ %482, %481 ], [ %441, %440 ]
  %485 = icmp eq i64 %226, 0
  br i1 %485, label %486, label %503

486:
  %487 = load i64, ptr %217, align 8
  %488 = icmp ne i64 %484, 0
  %489 = icmp sgt i64 %487, 0
  br i1 %489, label %490, label %503

490:
  %491 = load i64, ptr %216, align 8
  %492 = getelementptr inbounds i64, ptr %0, i64 %491
  br label %493

493:
  %494 = phi i64 [ %499, %493 ], [ 0, %490 ]
  %495 = phi ptr [ %498, %493 ], [ %492, %490 ]
  call fastcc void @run_stage(ptr %495, ptr %233, i1 %488)
  %496 = getelementptr inbounds nuw i8, ptr %495, i64 24
  %497 = load i64, ptr %495, align 8
  %498 = getelementptr inbounds %struct.Step, ptr %496, i64 %497
  %499 = add nuw nsw i64 %494, 1
  %500 = icmp eq i64 %499, %487
  br i1 %500, label %501, label %493

501:
  %502 = load i64, ptr %214, align 8
  br label %503

503:
  %504 = phi i64 [ %502, %501 ], [ %484, %486 ], [ %484, %483 ]
  %505 = load i64, ptr %182, align 8
  %506 = load i64, ptr %218, align 8
  %507 = icmp ne i64 %504, 0
  %508 = icmp slt i64 %505, 0
  br i1 %508, label %509, label %522

509:
  %510 = icmp sgt i64 %506, 0
  br i1 %510, label %511, label %538

511:
  %512 = load i64, ptr %219, align 8
  %513 = getelementptr inbounds i64, ptr %0, i64 %512
  br label %514

514:
  %515 = phi i64 [ %520, %514 ], [ 0, %511 ]
  %516 = phi ptr [ %519, %514 ], [ %513, %511 ]
  call fastcc void @run_stage(ptr %516, ptr %233, i1 %507)
  %517 = getelementptr inbounds nuw i8, ptr %516, i64 24
  %518 = load i64, ptr %516, align 8
  %519 = getelementptr inbounds %struct.Step, ptr %517, i64 %518
  %520 = add nuw nsw i64 %515, 1
  %521 = icmp eq i64 %520, %506
  br i1 %521, label %538, label %514

522:
  %523 = load i64, ptr %209, align 8
  %524 = getelementptr inbounds i64, ptr %0, i64 %523
  %525 = mul nuw nsw i64 %505, 24
  %526 = getelementptr inbounds nuw i8, ptr %524, i64 %525
  %527 = icmp eq i64 %505, 0
  br i1 %527, label %538, label %528

528:
  %529 = phi ptr [ %536, %528 ], [ %524, %522 ]
  %530 = load ptr, ptr %529, align 8
  %531 = getelementptr inbounds nuw i8, ptr %529, i64 16
  %532 = load i64, ptr %531, align 8
  %533 = getelementptr inbounds ptr, ptr %233, i64 %532
  %534 = getelementptr inbounds nuw i8, ptr %529, i64 8
  %535 = load i64, ptr %534, align 8
  call void %530(ptr %533, i64 0, i64 %535, i64 0)
  %536 = getelementptr inbounds nuw i8, ptr %529, i64 24
  %537 = icmp ult ptr %536, %526
  br i1 %537, label %528, label %538

538:
  %539 = add nsw i64 %226, 1
  %540 = add i64 %227, -1
  br i1 %175, label %541, label %647

541:
  %542 = trunc i64 %539 to i1
  %543 = select i1 %542, i64 %205, i64 0
  %544 = getelementptr inbounds ptr, ptr %9, i64 %543
  %545 = load i64, ptr %207, align 8
  %546 = getelementptr inbounds i64, ptr %0, i64 %545
  %547 = load i64, ptr %156, align 8
  %548 = icmp ne i64 %547, 0
  %549 = icmp slt i64 %226, 2
  %550 = and i1 %549, %548
  br i1 %550, label %551, label %596

551:
  %552 = load i64, ptr %55, align 8
  %553 = getelementptr inbounds i64, ptr %0, i64 %552
  %554 = mul nsw i64 %547, 40
  %555 = getelementptr inbounds i8, ptr %553, i64 %554
  %556 = icmp sgt i64 %547, 0
  br i1 %556, label %557, label %575

557:
  %558 = phi ptr [ %573, %557 ], [ %553, %551 ]
  %559 = getelementptr inbounds nuw i8, ptr %558, i64 8
  %560 = load i64, ptr %559, align 8
  %561 = getelementptr inbounds ptr, ptr %1, i64 %560
  %562 = load ptr, ptr %561, align 8
  %563 = load i64, ptr %558, align 8
  %564 = getelementptr inbounds ptr, ptr %1, i64 %563
  store ptr %562, ptr %564, align 8
  %565 = getelementptr inbounds nuw i8, ptr %558, i64 16
  %566 = load i64, ptr %565, align 8
  %567 = getelementptr inbounds ptr, ptr %1, i64 %566
  %568 = load ptr, ptr %567, align 8
  %569 = load i64, ptr %559, align 8
  %570 = getelementptr inbounds ptr, ptr %1, i64 %569
  store ptr %568, ptr %570, align 8
  %571 = load i64, ptr %565, align 8
  %572 = getelementptr inbounds ptr, ptr %1, i64 %571
  store ptr %562, ptr %572, align 8
  %573 = getelementptr inbounds nuw i8, ptr %558, i64 40
  %574 = icmp ult ptr %573, %555
  br i1 %574, label %557, label %575

575:
  br i1 %485, label %576, label %579

576:
  %577 = load i64, ptr %100, align 8
  %578 = shl i64 %577, 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %544, ptr align 8 %9, i64 %578, i1 false)
  br label %579

579:
  %580 = load i64, ptr %208, align 8
  %581 = getelementptr inbounds %struct.Changing, ptr %546, i64 %580
  %582 = load i64, ptr %220, align 8
  %583 = mul nsw i64 %582, 24
  %584 = getelementptr inbounds i8, ptr %581, i64 %583
  %585 = icmp sgt i64 %582, 0
  br i1 %585, label %586, label %596

586:
  %587 = phi ptr [ %594, %586 ], [ %581, %579 ]
  %588 = getelementptr inbounds nuw i8, ptr %587, i64 8
  %589 = load i64, ptr %588, align 8
  %590 = getelementptr inbounds ptr, ptr %1, i64 %589
  %591 = load ptr, ptr %590, align 8
  %592 = load i64, ptr %587, align 8
  %593 = getelementptr inbounds ptr, ptr %544, i64 %592
  store ptr %591, ptr %593, align 8
  %594 = getelementptr inbounds nuw i8, ptr %587, i64 24
  %595 = icmp ult ptr %594, %584
  br i1 %595, label %586, label %596

596:
  %597 = load i64, ptr %55, align 8
  %598 = getelementptr inbounds i64, ptr %0, i64 %597
  %599 = load i64, ptr %212, align 8
  %600 = getelementptr inbounds %struct.Carry, ptr %598, i64 %599
  %601 = load i64, ptr %156, align 8
  %602 = icmp slt i64 %601, %599
  br i1 %602, label %603, label %615

603:
  %604 = getelementptr inbounds %struct.Carry, ptr %598, i64 %601
  br label %605

605:
  %606 = phi ptr [ %613, %605 ], [ %604, %603 ]
  %607 = getelementptr inbounds nuw i8, ptr %606, i64 16
  %608 = load i64, ptr %607, align 8
  %609 = getelementptr inbounds ptr, ptr %1, i64 %608
  %610 = load ptr, ptr %609, align 8
  %611 = load i64, ptr %606, align 8
  %612 = getelementptr inbounds ptr, ptr %1, i64 %611
  store ptr %610, ptr %612, align 8
  %613 = getelementptr inbounds nuw i8, ptr %606, i64 40
  %614 = icmp ult ptr %613, %600
  br i1 %614, label %605, label %615

615:
  %616 = load i64, ptr %93, align 8
  %617 = load i64, ptr %90, align 8
  %618 = getelementptr inbounds i64, ptr %0, i64 %617
  %619 = mul nsw i64 %616, 24
  %620 = getelementptr inbounds i8, ptr %618, i64 %619
  %621 = icmp sgt i64 %616, 0
  br i1 %621, label %622, label %632

622:
  %623 = phi ptr [ %630, %622 ], [ %618, %615 ]
  %624 = getelementptr inbounds nuw i8, ptr %623, i64 16
  %625 = load i64, ptr %624, align 8
  %626 = load i64, ptr %623, align 8
  %627 = getelementptr inbounds ptr, ptr %1, i64 %626
  %628 = load ptr, ptr %627, align 8
  %629 = getelementptr inbounds i8, ptr %628, i64 %625
  store ptr %629, ptr %627, align 8
  %630 = getelementptr inbounds nuw i8, ptr %623, i64 24
  %631 = icmp ult ptr %630, %620
  br i1 %631, label %622, label %632

632:
  %633 = load i64, ptr %208, align 8
  %634 = mul nsw i64 %633, 24
  %635 = getelementptr inbounds i8, ptr %546, i64 %634
  %636 = icmp sgt i64 %633, 0
  br i1 %636, label %637, label %647

637:
  %638 = phi ptr [ %645, %637 ], [ %546, %632 ]
  %639 = getelementptr inbounds nuw i8, ptr %638, i64 8
  %640 = load i64, ptr %639, align 8
  %641 = getelementptr inbounds ptr, ptr %1, i64 %640
  %642 = load ptr, ptr %641, align 8
  %643 = load i64, ptr %638, align 8
  %644 = getelementptr inbounds ptr, ptr %544, i64 %643
  store ptr %642, ptr %644, align 8
  %645 = getelementptr inbounds nuw i8, ptr %638, i64 24
  %646 = icmp ult ptr %645, %635
  br i1 %646, label %637, label %647

647:
  %648 = icmp slt i64 %226, 2
  br i1 %648, label %649, label %655

649:
  %650 = load i64, ptr %176, align 8
  %651 = getelementptr inbounds ptr, ptr %1, i64 %650
  %652 = load ptr, ptr %651, align 8
  %653 = and i64 %539, 1
  %654 = getelementptr inbounds nuw ptr, ptr %6, i64 %653
  store ptr %652, ptr %654, align 8
  br label %655

655:
  %656 = phi i64 [ %540, %649 ], [ %540, %647 ], [ %381, %438 ]
  %657 = phi i64 [ %539, %649 ], [ %539, %647 ], [ %380, %438 ]
  %658 = load atomic i32, ptr %2 monotonic, align 4
  %659 = icmp eq i32 %658, 0
  br i1 %659, label %660, label %700

660:
  %661 = icmp slt i64 %656, 1
  br i1 %661, label %662, label %694

662:
  %663 = call i32 @clock_gettime(i32 %222, ptr %5)
  %664 = load i64, ptr %5, align 16
  %665 = mul i64 %664, 1000000000
  %666 = load i64, ptr %223, align 8
  %667 = add i64 %665, %666
  %668 = sub i64 %667, %229
  %669 = icmp eq i64 %229, 0
  %670 = select i1 %669, i64 %667, i64 %230
  %671 = icmp ult i64 %668, 1000000
  br i1 %671, label %672, label %675

672:
  %673 = shl i64 %228, 1
  %674 = call i64 @llvm.smin.i64(i64 %673, i64 65536)
  br label %680

675:
  %676 = icmp ugt i64 %668, 20000000
  br i1 %676, label %677, label %680

677:
  %678 = sdiv i64 %228, 8
  %679 = call i64 @llvm.smax.i64(i64 %678, i64 1)
  br label %680

680:
  %681 = phi i64 [ %674, %672 ], [ %679, %677 ], [ %228, %675 ]
  %682 = sub i64 %667, %670
  %683 = icmp slt i64 %682, 100000001
  br i1 %683, label %687, label %684

684:
  %685 = call ptr @PyGILState_GetThisThreadState()
  %686 = icmp eq ptr %685, null
  br i1 %686, label %687, label %689

687:
  %688 = phi i64 [ %667, %684 ], [ %670, %680 ]
  br label %694

689:
  %690 = call i32 @PyGILState_Ensure()
  %691 = call i32 @PyErr_CheckSignals()
  call void @PyGILState_Release(i32 %690)
  %692 = icmp eq i32 %691, 0
  br i1 %692, label %694, label %693

693:
  store atomic i32 -1, ptr %2 monotonic, align 4
  br label %700

694:
  %695 = phi i64 [ %688, %687 ], [ %230, %660 ], [ %667, %689 ]
  %696 = phi i64 [ %667, %687 ], [ %229, %660 ], [ %667, %689 ]
  %697 = phi i64 [ %681, %687 ], [ %228, %660 ], [ %681, %689 ]
  %698 = phi i64 [ %681, %687 ], [ %656, %660 ], [ %681, %689 ]
  %699 = icmp slt i64 %657, %181
  br i1 %699, label %225, label %700

700:
  %701 = phi i64 [ %657, %693 ], [ 0, %203 ], [ %380, %438 ], [ %657, %655 ], [ %226, %476 ], [ %657, %694 ]
  %702 = icmp slt i64 %701, 3
  %703 = and i64 %701, 1
  %704 = icmp eq i64 %703, 0
  %705 = or i1 %702, %704
  %706 = load i64, ptr %55, align 8
  br i1 %705, label %733, label %707

707:
  %708 = getelementptr inbounds i64, ptr %0, i64 %706
  %709 = load i64, ptr %156, align 8
  %710 = mul nsw i64 %709, 40
  %711 = getelementptr inbounds i8, ptr %708, i64 %710
  %712 = icmp sgt i64 %709, 0
  br i1 %712, label %713, label %733

713:
  %714 = phi ptr [ %729, %713 ], [ %708, %707 ]
  %715 = getelementptr inbounds nuw i8, ptr %714, i64 8
  %716 = load i64, ptr %715, align 8
  %717 = getelementptr inbounds ptr, ptr %1, i64 %716
  %718 = load ptr, ptr %717, align 8
  %719 = load i64, ptr %714, align 8
  %720 = getelementptr inbounds ptr, ptr %1, i64 %719
  store ptr %718, ptr %720, align 8
  %721 = getelementptr inbounds nuw i8, ptr %714, i64 16
  %722 = load i64, ptr %721, align 8
  %723 = getelementptr inbounds ptr, ptr %1, i64 %722
  %724 = load ptr, ptr %723, align 8
  %725 = load i64, ptr %715, align 8
  %726 = getelementptr inbounds ptr, ptr %1, i64 %725
  store ptr %724, ptr %726, align 8
  %727 = load i64, ptr %721, align 8
  %728 = getelementptr inbounds ptr, ptr %1, i64 %727
  store ptr %718, ptr %728, align 8
  %729 = getelementptr inbounds nuw i8, ptr %714, i64 40
  %730 = icmp ult ptr %729, %711
  br i1 %730, label %713, label %731

731:
  %732 = load i64, ptr %55, align 8
  br label %733

733:
  %734 = phi i64 [ %732, %731 ], [ %706, %707 ], [ %706, %700 ]
  %735 = getelementptr inbounds i64, ptr %0, i64 %734
  %736 = load i64, ptr %58, align 8
  %737 = icmp sgt i64 %736, 0
  br i1 %737, label %738, label %758

738:
  %739 = phi i64 [ %754, %753 ], [ %736, %733 ]
  %740 = phi ptr [ %755, %753 ], [ %735, %733 ]
  %741 = load i64, ptr %740, align 8
  %742 = getelementptr inbounds ptr, ptr %1, i64 %741
  %743 = load ptr, ptr %742, align 8
  %744 = getelementptr inbounds nuw i8, ptr %740, i64 8
  %745 = load i64, ptr %744, align 8
  %746 = getelementptr inbounds ptr, ptr %3, i64 %745
  %747 = load ptr, ptr %746, align 8
  %748 = icmp eq ptr %743, %747
  br i1 %748, label %753, label %749

749:
  %750 = getelementptr inbounds nuw i8, ptr %740, i64 24
  %751 = load i64, ptr %750, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %747, ptr align 1 %743, i64 %751, i1 false)
  %752 = load i64, ptr %58, align 8
  br label %753

753:
  %754 = phi i64 [ %739, %738 ], [ %752, %749 ]
  %755 = getelementptr inbounds nuw i8, ptr %740, i64 40
  %756 = getelementptr inbounds %struct.Carry, ptr %735, i64 %754
  %757 = icmp ult ptr %755, %756
  br i1 %757, label %738, label %758

758:
  ret void
}

define void @branch(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %7 = load ptr, ptr %6, align 8
  %8 = load i32, ptr %7, align 1
  %9 = tail call i32 @llvm.smax.i32(i32 %8, i32 0)
  %10 = zext nneg i32 %9 to i64
  %11 = load i64, ptr %5, align 8
  %12 = add i64 %11, -1
  %13 = tail call i64 @llvm.smin.i64(i64 %10, i64 %12)
  %14 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %15 = shl i64 %13, 32
  %16 = ashr exact i64 %15, 29
  %17 = getelementptr inbounds i8, ptr %14, i64 %16
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %20 = load ptr, ptr %19, align 8
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %22 = load ptr, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 32
  tail call fastcc void @run_loop(ptr %18, ptr %20, ptr %22, ptr %23)
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

declare i64 @syscall(i64, ...)

declare i32 @sigfillset(ptr)

declare i32 @pthread_sigmask(i32, ptr, ptr)

declare i32 @pthread_create(ptr, ptr, ptr, ptr)

define internal ptr @pool_thread(ptr %0) nounwind {
  %2 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24) seq_cst, align 8
  %3 = ptrtoint ptr %0 to i64
  %4 = icmp eq i64 %2, %3
  br i1 %4, label %5, label %41

5:
  %6 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 48), align 8
  %7 = tail call i64 (i64, ...) @syscall(i64 %6)
  %8 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @affinity, i64 32), i64 1 seq_cst, align 16
  %9 = icmp ult i64 %8, 8
  br i1 %9, label %10, label %13

10:
  %11 = trunc i64 %7 to i32
  %12 = getelementptr inbounds nuw i32, ptr @affinity, i64 %8
  store i32 %11, ptr %12, align 4
  br label %13

13:
  %14 = load atomic i32, ptr @signal_word seq_cst, align 128
  %15 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24) seq_cst, align 8
  %16 = icmp eq i64 %15, %2
  br i1 %16, label %17, label %41

17:
  %18 = add i64 %8, 1
  %19 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 40), align 8
  br label %20

20:
  %21 = phi i32 [ %14, %17 ], [ %38, %37 ]
  tail call fastcc void @drain(i64 %18)
  %22 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 32) seq_cst, align 32
  %23 = tail call i64 @llvm.umax.i64(i64 %22, i64 1)
  br label %24

24:
  %25 = phi i64 [ 0, %20 ], [ %29, %28 ]
  %26 = load atomic i32, ptr @signal_word seq_cst, align 128
  %27 = icmp eq i32 %26, %21
  br i1 %27, label %28, label %31

28:
  tail call void @relax()
  %29 = add nuw i64 %25, 1
  %30 = icmp eq i64 %29, %23
  br i1 %30, label %33, label %24

31:
  %32 = icmp ult i64 %25, %22
  br i1 %32, label %37, label %33

33:
  %34 = atomicrmw add ptr @sleepers, i32 1 seq_cst, align 128
  %35 = tail call i64 (i64, ...) @syscall(i64 %19, ptr @signal_word, i32 128, i32 %21, ptr null, ptr null, i32 0)
  %36 = atomicrmw add ptr @sleepers, i32 -1 seq_cst, align 128
  br label %37

37:
  %38 = load atomic i32, ptr @signal_word seq_cst, align 128
  %39 = load atomic i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24) seq_cst, align 8
  %40 = icmp eq i64 %39, %2
  br i1 %40, label %20, label %41

41:
  %42 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 16), i64 -1 seq_cst, align 16
  ret ptr null
}

declare i32 @pthread_detach(ptr)

declare i32 @munmap(ptr, i64)

declare ptr @_PyObject_New(ptr)

define internal fastcc void @run_stage(ptr %0, ptr %1, i1 %2) nounwind {
  %4 = alloca %struct.Job, align 8
  store ptr %0, ptr %4, align 8
  %5 = getelementptr inbounds nuw i8, ptr %4, i64 8
  store ptr %1, ptr %5, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 24
  br i1 %2, label %58, label %7

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load i64, ptr %8, align 8
  %10 = icmp sgt i64 %9, 0
  br i1 %10, label %11, label %82

11:
  %12 = load i64, ptr %0, align 8
  br label %13

13:
  %14 = phi i64 [ %54, %53 ], [ %9, %11 ]
  %15 = phi i64 [ %55, %53 ], [ %12, %11 ]
  %16 = phi i64 [ %56, %53 ], [ 0, %11 ]
  %17 = icmp sgt i64 %15, 0
  br i1 %17, label %18, label %53

18:
  %19 = phi i64 [ %46, %45 ], [ %15, %13 ]
  %20 = phi i64 [ %47, %45 ], [ %15, %13 ]
  %21 = phi ptr [ %48, %45 ], [ %6, %13 ]
  %22 = load ptr, ptr %21, align 8
  %23 = getelementptr inbounds nuw i8, ptr %21, i64 32
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds ptr, ptr %1, i64 %24
  %26 = getelementptr inbounds nuw i8, ptr %21, i64 40
  %27 = load i64, ptr %26, align 8
  %28 = mul i64 %27, %16
  %29 = getelementptr inbounds ptr, ptr %25, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %21, i64 8
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds nuw i8, ptr %21, i64 16
  %33 = load i64, ptr %32, align 8
  %34 = icmp sgt i64 %31, 0
  br i1 %34, label %35, label %45

35:
  %36 = phi i64 [ %40, %35 ], [ 0, %18 ]
  %37 = phi i64 [ %41, %35 ], [ 0, %18 ]
  %38 = sub i64 %31, %36
  %39 = tail call i64 @llvm.smin.i64(i64 %33, i64 %38)
  %40 = add i64 %39, %36
  tail call void %22(ptr %29, i64 %36, i64 %40, i64 %37)
  %41 = add i64 %37, 1
  %42 = icmp slt i64 %40, %31
  br i1 %42, label %35, label %43

43:
  %44 = load i64, ptr %0, align 8
  br label %45

45:
  %46 = phi i64 [ %44, %43 ], [ %19, %18 ]
  %47 = phi i64 [ %44, %43 ], [ %20, %18 ]
  %48 = getelementptr inbounds nuw i8, ptr %21, i64 48
  %49 = getelementptr inbounds %struct.Step, ptr %6, i64 %47
  %50 = icmp ult ptr %48, %49
  br i1 %50, label %18, label %51

51:
  %52 = load i64, ptr %8, align 8
  br label %53

53:
  %54 = phi i64 [ %52, %51 ], [ %14, %13 ]
  %55 = phi i64 [ %46, %51 ], [ %15, %13 ]
  %56 = add nuw nsw i64 %16, 1
  %57 = icmp slt i64 %56, %54
  br i1 %57, label %13, label %82

58:
  %59 = load i64, ptr %0, align 8
  %60 = icmp sgt i64 %59, 1
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %62 = load i64, ptr %61, align 8
  br i1 %60, label %63, label %67

63:
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %65 = load i64, ptr %64, align 8
  %66 = mul i64 %65, %62
  call void @parallel_for(ptr @spread_tables, ptr %4, i64 %66, i64 1)
  br label %82

67:
  %68 = icmp sgt i64 %62, 1
  br i1 %68, label %69, label %73

69:
  %70 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %71 = load i64, ptr %70, align 8
  %72 = mul i64 %71, %62
  call void @parallel_for(ptr @spread_chunks, ptr %4, i64 %72, i64 1)
  br label %82

73:
  %74 = load ptr, ptr %6, align 8
  %75 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %76 = load i64, ptr %75, align 8
  %77 = getelementptr inbounds ptr, ptr %1, i64 %76
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %81 = load i64, ptr %80, align 8
  tail call void @parallel_for(ptr %74, ptr %77, i64 %79, i64 %81)
  br label %82

82:
  ret void
}

declare i32 @clock_gettime(i32, ptr)

define internal void @spread_tables(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %7 = load i64, ptr %6, align 8
  %8 = icmp ult i64 %1, %2
  br i1 %8, label %9, label %13

9:
  %10 = icmp eq i64 %7, 1
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %14

13:
  ret void

14:
  %15 = phi i64 [ %1, %9 ], [ %81, %80 ]
  br i1 %10, label %22, label %16

16:
  %17 = load i64, ptr %5, align 8
  %18 = icmp sgt i64 %17, 0
  br i1 %18, label %19, label %80

19:
  %20 = udiv i64 %15, %7
  %21 = urem i64 %15, %7
  br label %57

22:
  %23 = load ptr, ptr %12, align 8
  %24 = load i64, ptr %5, align 8
  %25 = icmp sgt i64 %24, 0
  br i1 %25, label %26, label %80

26:
  %27 = phi i64 [ %53, %52 ], [ %24, %22 ]
  %28 = phi ptr [ %54, %52 ], [ %11, %22 ]
  %29 = load ptr, ptr %28, align 8
  %30 = getelementptr inbounds nuw i8, ptr %28, i64 32
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds ptr, ptr %23, i64 %31
  %33 = getelementptr inbounds nuw i8, ptr %28, i64 40
  %34 = load i64, ptr %33, align 8
  %35 = mul i64 %34, %15
  %36 = getelementptr inbounds ptr, ptr %32, i64 %35
  %37 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %38 = load i64, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %28, i64 16
  %40 = load i64, ptr %39, align 8
  %41 = icmp sgt i64 %38, 0
  br i1 %41, label %42, label %52

42:
  %43 = phi i64 [ %47, %42 ], [ 0, %26 ]
  %44 = phi i64 [ %48, %42 ], [ 0, %26 ]
  %45 = sub i64 %38, %43
  %46 = tail call i64 @llvm.smin.i64(i64 %40, i64 %45)
  %47 = add i64 %46, %43
  tail call void %29(ptr %36, i64 %43, i64 %47, i64 %44)
  %48 = add i64 %44, 1
  %49 = icmp slt i64 %47, %38
  br i1 %49, label %42, label %50

50:
  %51 = load i64, ptr %5, align 8
  br label %52

52:
  %53 = phi i64 [ %51, %50 ], [ %27, %26 ]
  %54 = getelementptr inbounds nuw i8, ptr %28, i64 48
  %55 = getelementptr inbounds %struct.Step, ptr %11, i64 %53
  %56 = icmp ult ptr %54, %55
  br i1 %56, label %26, label %80

57:
  %58 = phi i64 [ 0, %19 ], [ %77, %57 ]
  %59 = getelementptr inbounds nuw %struct.Step, ptr %11, i64 %58
  %60 = load ptr, ptr %12, align 8
  %61 = getelementptr inbounds nuw i8, ptr %59, i64 16
  %62 = load i64, ptr %61, align 8
  %63 = mul i64 %62, %21
  %64 = getelementptr inbounds nuw i8, ptr %59, i64 32
  %65 = load i64, ptr %64, align 8
  %66 = getelementptr inbounds ptr, ptr %60, i64 %65
  %67 = getelementptr inbounds nuw i8, ptr %59, i64 40
  %68 = load i64, ptr %67, align 8
  %69 = mul i64 %68, %20
  %70 = getelementptr inbounds ptr, ptr %66, i64 %69
  %71 = load ptr, ptr %59, align 8
  %72 = getelementptr inbounds nuw i8, ptr %59, i64 8
  %73 = load i64, ptr %72, align 8
  %74 = sub i64 %73, %63
  %75 = tail call i64 @llvm.smin.i64(i64 %62, i64 %74)
  %76 = add i64 %75, %63
  tail call void %71(ptr %70, i64 %63, i64 %76, i64 %21)
  %77 = add nuw nsw i64 %58, 1
  %78 = load i64, ptr %5, align 8
  %79 = icmp slt i64 %77, %78
  br i1 %79, label %57, label %80

80:
  %81 = add nuw i64 %15, 1
  %82 = icmp eq i64 %81, %2
  br i1 %82, label %13, label %14
}

define internal void @spread_chunks(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %7 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %8 = load i64, ptr %7, align 8
  %9 = icmp ult i64 %1, %2
  br i1 %9, label %10, label %16

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %13 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %14 = getelementptr inbounds nuw i8, ptr %5, i64 64
  %15 = getelementptr inbounds nuw i8, ptr %5, i64 32
  br label %17

16:
  ret void

17:
  %18 = phi i64 [ %1, %10 ], [ %34, %17 ]
  %19 = load ptr, ptr %11, align 8
  %20 = udiv i64 %18, %8
  %21 = urem i64 %18, %8
  %22 = load i64, ptr %12, align 8
  %23 = mul i64 %22, %21
  %24 = load i64, ptr %13, align 8
  %25 = getelementptr inbounds ptr, ptr %19, i64 %24
  %26 = load i64, ptr %14, align 8
  %27 = mul i64 %26, %20
  %28 = getelementptr inbounds ptr, ptr %25, i64 %27
  %29 = load ptr, ptr %6, align 8
  %30 = load i64, ptr %15, align 8
  %31 = sub i64 %30, %23
  %32 = tail call i64 @llvm.smin.i64(i64 %22, i64 %31)
  %33 = add i64 %32, %23
  tail call void %29(ptr %28, i64 %23, i64 %33, i64 %21)
  %34 = add i64 %18, 1
  %35 = icmp eq i64 %34, %2
  br i1 %35, label %16, label %17
}

declare void @Py_IncRef(ptr)

declare i64 @PyThread_get_thread_ident()

declare void @PyErr_Clear()

declare ptr @PyLong_AsVoidPtr(ptr)

declare ptr @PyTuple_New(i64)

declare i32 @PyTuple_SetItem(ptr, i64, ptr)

declare ptr @PyLong_FromSsize_t(i64)

declare i64 @llvm.ctlz.i64(i64, i1)

define internal fastcc ptr @system_take(i64 %0) nounwind {
  %2 = alloca ptr, align 8
  %3 = icmp samesign ult i64 %0, 16
  br i1 %3, label %4, label %7

4:
  %5 = shl nuw nsw i64 %0, 6
  %6 = add nuw nsw i64 %5, 64
  br label %15

7:
  %8 = add nsw i64 %0, -16
  %9 = and i64 %0, 7
  %10 = add nuw nsw i64 %9, 9
  %11 = lshr i64 %8, 3
  %12 = add nuw nsw i64 %11, 7
  %13 = shl i64 %10, %12
  %14 = icmp samesign ugt i64 %0, 79
  br i1 %14, label %21, label %15

15:
  %16 = phi i64 [ %6, %4 ], [ %13, %7 ]
  %17 = call i32 @posix_memalign(ptr %2, i64 64, i64 %16)
  %18 = icmp eq i32 %17, 0
  %19 = load ptr, ptr %2, align 8
  %20 = select i1 %18, ptr %19, ptr null
  br label %47

21:
  %22 = icmp slt i64 %13, 4194304
  %23 = select i1 %22, i64 0, i64 2097152
  %24 = add i64 %23, %13
  %25 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 24), align 8
  %26 = trunc i64 %25 to i32
  %27 = tail call ptr @mmap(ptr null, i64 %24, i32 3, i32 %26, i32 -1, i64 0)
  %28 = icmp eq ptr %27, inttoptr (i64 -1 to ptr)
  %29 = or i1 %22, %28
  %30 = select i1 %28, ptr null, ptr %27
  br i1 %29, label %47, label %31

31:
  %32 = ptrtoint ptr %27 to i64
  %33 = sub i64 0, %32
  %34 = and i64 %33, 2097151
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %38, label %36

36:
  %37 = tail call i32 @munmap(ptr %27, i64 %34)
  br label %38

38:
  %39 = sub nuw nsw i64 2097152, %34
  %40 = getelementptr inbounds nuw i8, ptr %27, i64 %34
  %41 = getelementptr inbounds nuw i8, ptr %40, i64 %13
  %42 = tail call i32 @munmap(ptr %41, i64 %39)
  %43 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 32), align 8
  %44 = icmp eq i64 %43, 0
  br i1 %44, label %47, label %45

45:
  %46 = tail call i32 @madvise(ptr %40, i64 %13, i32 14)
  br label %47

47:
  %48 = phi ptr [ %20, %15 ], [ %30, %21 ], [ %40, %45 ], [ %40, %38 ]
  ret ptr %48
}

declare i32 @posix_memalign(ptr, i64, i64)

declare ptr @mmap(ptr, i64, i32, i32, i32, i64)

declare i32 @madvise(ptr, i64, i32)

declare ptr @PyGILState_GetThisThreadState()

declare i32 @PyGILState_Ensure()

declare i32 @PyErr_CheckSignals()

declare void @PyGILState_Release(i32)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.usub.sat.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.umax.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)

declare i32 @llvm.smax.i32(i32, i32)

declare void @llvm.assume(i1)
