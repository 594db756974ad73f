; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources cfe5e15a300ec622e6762a89e2e05e586739164e61e1f9c767195483ff678be5

%struct.anon = type { i64, i64, i64, i64, i64 }
%struct.anon.1 = type { i64, i64, [2 x i64], [2 x i64], i64, i64 }
%struct.anon.2 = type { [8 x i32], i64, [8 x i8], [128 x i8], i32, [12 x i8] }
%struct.anon.3 = type { i64, i64, i64, i64, i64, i64, i64, i64, i64, i64 }
%struct.anon.4 = type { i64, i64, [112 x i8] }
%struct.Object = type { i64 }
%struct.Step = type { ptr, i64, i64, i64, i64, i64 }
%struct.Carry = type { i64, i64, i64, i64, i64 }
%struct.Sequence = type { i64, i64, i64 }
%struct.Changing = type { i64, i64 }
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
  %17 = call fastcc ptr @run_plan(ptr %6, ptr %1, ptr %4)
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
  %50 = tail call fastcc ptr @run_plan(ptr %6, ptr %1, ptr %40)
  tail call fastcc void @memory_release(ptr %40, i64 %39)
  br label %51

51:
  %52 = phi ptr [ %11, %9 ], [ %17, %16 ], [ null, %23 ], [ %50, %49 ], [ null, %20 ], [ null, %42 ], [ null, %46 ]
  ret ptr %52
}

declare ptr @PyBytes_AsString(ptr)

declare ptr @PyTuple_GetItem(ptr, i64)

declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)

define internal fastcc ptr @run_plan(ptr %0, ptr %1, ptr %2) nounwind {
  %4 = alloca i32, align 4
  store i32 0, ptr %4, align 4
  %5 = load i64, ptr %0, align 8
  %6 = load ptr, ptr @block_type, align 8
  %7 = load ptr, ptr @array_type, align 8
  %8 = icmp slt i64 %5, 1
  br i1 %8, label %35, label %9

9:
  %10 = load i64, ptr @SYSTEM, align 8
  br label %11

11:
  %12 = phi i64 [ 0, %9 ], [ %31, %30 ]
  %13 = getelementptr inbounds nuw ptr, ptr %1, i64 %12
  %14 = load ptr, ptr %13, align 8
  %15 = getelementptr inbounds i8, ptr %14, i64 %10
  %16 = getelementptr inbounds i8, ptr %15, i64 -8
  %17 = load ptr, ptr %16, align 8
  %18 = icmp eq ptr %17, %6
  %19 = icmp eq ptr %17, %7
  %20 = select i1 %18, i1 true, i1 %19
  %21 = getelementptr inbounds nuw ptr, ptr %2, i64 %12
  br i1 %20, label %22, label %24

22:
  %23 = load ptr, ptr %15, align 8
  store ptr %23, ptr %21, align 8
  br label %30

24:
  %25 = tail call ptr @PyLong_AsVoidPtr(ptr %14)
  store ptr %25, ptr %21, align 8
  %26 = icmp eq ptr %25, null
  br i1 %26, label %27, label %30

27:
  %28 = tail call ptr @PyErr_Occurred()
  %29 = icmp eq ptr %28, null
  br i1 %29, label %30, label %230

30:
  %31 = add nuw nsw i64 %12, 1
  %32 = icmp eq i64 %31, %5
  br i1 %32, label %33, label %11

33:
  %34 = load i64, ptr %0, align 8
  br label %35

35:
  %36 = phi i64 [ %34, %33 ], [ %5, %3 ]
  %37 = getelementptr inbounds ptr, ptr %2, i64 %36
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %39 = load i64, ptr %38, align 8
  %40 = getelementptr inbounds ptr, ptr %2, i64 %39
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %42 = load i64, ptr %41, align 8
  %43 = getelementptr inbounds i64, ptr %0, i64 %42
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %45 = load i64, ptr %44, align 8
  switch i64 %45, label %55 [
    i64 0, label %46
    i64 1, label %47
  ]

46:
  tail call void @Py_IncRef(ptr @Py_None)
  br label %77

47:
  %48 = load i64, ptr %43, align 8
  %49 = tail call fastcc ptr @block_new(i64 %48)
  %50 = icmp eq ptr %49, null
  br i1 %50, label %230, label %51

51:
  %52 = load i64, ptr @SYSTEM, align 8
  %53 = getelementptr inbounds i8, ptr %49, i64 %52
  %54 = load ptr, ptr %53, align 8
  store ptr %54, ptr %37, align 8
  br label %77

55:
  %56 = tail call ptr @PyTuple_New(i64 %45)
  %57 = icmp eq ptr %56, null
  %58 = icmp slt i64 %45, 1
  %59 = or i1 %58, %57
  br i1 %59, label %76, label %60

60:
  %61 = load i64, ptr @SYSTEM, align 8
  br label %62

62:
  %63 = phi i64 [ 0, %60 ], [ %74, %69 ]
  %64 = getelementptr inbounds nuw i64, ptr %43, i64 %63
  %65 = load i64, ptr %64, align 8
  %66 = tail call fastcc ptr @block_new(i64 %65)
  %67 = icmp eq ptr %66, null
  br i1 %67, label %68, label %69

68:
  tail call void @Py_DecRef(ptr %56)
  br label %230

69:
  %70 = getelementptr inbounds i8, ptr %66, i64 %61
  %71 = load ptr, ptr %70, align 8
  %72 = getelementptr inbounds nuw ptr, ptr %37, i64 %63
  store ptr %71, ptr %72, align 8
  %73 = tail call i32 @PyTuple_SetItem(ptr %56, i64 %63, ptr %66)
  %74 = add nuw nsw i64 %63, 1
  %75 = icmp eq i64 %74, %45
  br i1 %75, label %77, label %62

76:
  br i1 %57, label %230, label %77

77:
  %78 = phi ptr [ %56, %76 ], [ @Py_None, %46 ], [ %49, %51 ], [ %56, %69 ]
  %79 = load i64, ptr %44, align 8
  %80 = getelementptr inbounds ptr, ptr %37, i64 %79
  %81 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %82 = load i64, ptr %81, align 8
  %83 = getelementptr inbounds i64, ptr %0, i64 %82
  %84 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %85 = load i64, ptr %84, align 8
  %86 = icmp sgt i64 %85, 0
  br i1 %86, label %87, label %100

87:
  %88 = ptrtoint ptr %2 to i64
  br label %89

89:
  %90 = phi i64 [ 0, %87 ], [ %96, %89 ]
  %91 = getelementptr inbounds nuw i64, ptr %83, i64 %90
  %92 = load i64, ptr %91, align 8
  %93 = add i64 %92, %88
  %94 = inttoptr i64 %93 to ptr
  %95 = getelementptr inbounds nuw ptr, ptr %80, i64 %90
  store ptr %94, ptr %95, align 8
  %96 = add nuw nsw i64 %90, 1
  %97 = icmp eq i64 %96, %85
  br i1 %97, label %98, label %89

98:
  %99 = load i64, ptr %84, align 8
  br label %100

100:
  %101 = phi i64 [ %99, %98 ], [ %85, %77 ]
  %102 = getelementptr inbounds ptr, ptr %80, i64 %101
  %103 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %104 = load i64, ptr %103, align 8
  %105 = getelementptr inbounds i64, ptr %0, i64 %104
  %106 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %107 = load i64, ptr %106, align 8
  %108 = icmp sgt i64 %107, 0
  br i1 %108, label %109, label %119

109:
  %110 = phi i64 [ %115, %109 ], [ 0, %100 ]
  %111 = getelementptr inbounds nuw i64, ptr %105, i64 %110
  %112 = load i64, ptr %111, align 8
  %113 = inttoptr i64 %112 to ptr
  %114 = getelementptr inbounds nuw ptr, ptr %102, i64 %110
  store ptr %113, ptr %114, align 8
  %115 = add nuw nsw i64 %110, 1
  %116 = icmp eq i64 %115, %107
  br i1 %116, label %117, label %109

117:
  %118 = load i64, ptr %106, align 8
  br label %119

119:
  %120 = phi i64 [ %118, %117 ], [ %107, %100 ]
  %121 = getelementptr inbounds ptr, ptr %102, i64 %120
  store ptr %4, ptr %121, align 8
  %122 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %123 = load i64, ptr %122, align 8
  %124 = getelementptr inbounds i64, ptr %0, i64 %123
  %125 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %126 = load i64, ptr %125, align 8
  %127 = icmp sgt i64 %126, 0
  br i1 %127, label %128, label %137

128:
  %129 = phi i64 [ %135, %128 ], [ 0, %119 ]
  %130 = getelementptr inbounds nuw i64, ptr %124, i64 %129
  %131 = load i64, ptr %130, align 8
  %132 = getelementptr inbounds ptr, ptr %2, i64 %131
  %133 = load ptr, ptr %132, align 8
  %134 = getelementptr inbounds nuw ptr, ptr %40, i64 %129
  store ptr %133, ptr %134, align 8
  %135 = add nuw nsw i64 %129, 1
  %136 = icmp eq i64 %135, %126
  br i1 %136, label %137, label %128

137:
  %138 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %139 = load i64, ptr %138, align 8
  %140 = getelementptr inbounds i64, ptr %0, i64 %139
  %141 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %142 = load i64, ptr %141, align 8
  %143 = icmp eq i64 %142, 0
  br i1 %143, label %144, label %206

144:
  %145 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %146 = load i64, ptr %145, align 8
  %147 = icmp sgt i64 %146, 0
  br i1 %147, label %148, label %212

148:
  %149 = phi i64 [ %204, %201 ], [ 0, %144 ]
  %150 = phi ptr [ %203, %201 ], [ %140, %144 ]
  %151 = getelementptr inbounds nuw i8, ptr %150, i64 24
  %152 = getelementptr inbounds nuw i8, ptr %150, i64 8
  %153 = load i64, ptr %152, align 8
  %154 = icmp sgt i64 %153, 0
  %155 = load i64, ptr %150, align 8
  br i1 %154, label %156, label %201

156:
  %157 = phi i64 [ %197, %196 ], [ %153, %148 ]
  %158 = phi i64 [ %198, %196 ], [ %155, %148 ]
  %159 = phi i64 [ %199, %196 ], [ 0, %148 ]
  %160 = icmp sgt i64 %158, 0
  br i1 %160, label %161, label %196

161:
  %162 = phi i64 [ %189, %188 ], [ %158, %156 ]
  %163 = phi i64 [ %190, %188 ], [ %158, %156 ]
  %164 = phi ptr [ %191, %188 ], [ %151, %156 ]
  %165 = load ptr, ptr %164, align 8
  %166 = getelementptr inbounds nuw i8, ptr %164, i64 32
  %167 = load i64, ptr %166, align 8
  %168 = getelementptr inbounds ptr, ptr %40, i64 %167
  %169 = getelementptr inbounds nuw i8, ptr %164, i64 40
  %170 = load i64, ptr %169, align 8
  %171 = mul i64 %170, %159
  %172 = getelementptr inbounds ptr, ptr %168, i64 %171
  %173 = getelementptr inbounds nuw i8, ptr %164, i64 8
  %174 = load i64, ptr %173, align 8
  %175 = getelementptr inbounds nuw i8, ptr %164, i64 16
  %176 = load i64, ptr %175, align 8
  %177 = icmp sgt i64 %174, 0
  br i1 %177, label %178, label %188

178:
  %179 = phi i64 [ %183, %178 ], [ 0, %161 ]
  %180 = phi i64 [ %184, %178 ], [ 0, %161 ]
  %181 = sub i64 %174, %179
  %182 = call i64 @llvm.smin.i64(i64 %176, i64 %181)
  %183 = add i64 %182, %179
  call void %165(ptr %172, i64 %179, i64 %183, i64 %180)
  %184 = add i64 %180, 1
  %185 = icmp slt i64 %183, %174
  br i1 %185, label %178, label %186

186:
  %187 = load i64, ptr %150, align 8
  br label %188

188:
  %189 = phi i64 [ %187, %186 ], [ %162, %161 ]
  %190 = phi i64 [ %187, %186 ], [ %163, %161 ]
  %191 = getelementptr inbounds nuw i8, ptr %164, i64 48
  %192 = getelementptr inbounds %struct.Step, ptr %151, i64 %190
  %193 = icmp ult ptr %191, %192
  br i1 %193, label %161, label %194

194:
  %195 = load i64, ptr %152, align 8
  br label %196

196:
  %197 = phi i64 [ %195, %194 ], [ %157, %156 ]
  %198 = phi i64 [ %189, %194 ], [ %158, %156 ]
  %199 = add nuw nsw i64 %159, 1
  %200 = icmp slt i64 %199, %197
  br i1 %200, label %156, label %201

201:
  %202 = phi i64 [ %155, %148 ], [ %198, %196 ]
  %203 = getelementptr inbounds %struct.Step, ptr %151, i64 %202
  %204 = add nuw nsw i64 %149, 1
  %205 = icmp eq i64 %204, %146
  br i1 %205, label %212, label %148

206:
  %207 = call ptr @PyEval_SaveThread()
  %208 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %209 = load i64, ptr %208, align 8
  %210 = load i64, ptr %141, align 8
  %211 = icmp eq i64 %210, 2
  call fastcc void @run_stages(ptr %140, i64 %209, ptr %40, i1 %211)
  call void @PyEval_RestoreThread(ptr %207)
  br label %212

212:
  %213 = load i32, ptr %4, align 4
  %214 = icmp eq i32 %213, 0
  br i1 %214, label %230, label %215

215:
  call void @Py_DecRef(ptr %78)
  %216 = load i32, ptr %4, align 4
  %217 = icmp eq i32 %216, -1
  br i1 %217, label %230, label %218

218:
  %219 = sext i32 %216 to i64
  %220 = call ptr @PyLong_FromSsize_t(i64 %219)
  %221 = icmp eq ptr %220, null
  br i1 %221, label %230, label %222

222:
  %223 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %224 = load ptr, ptr %223, align 8
  %225 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %224, ptr %220, ptr null)
  call void @Py_DecRef(ptr %220)
  %226 = icmp eq ptr %225, null
  br i1 %226, label %230, label %227

227:
  call void @Py_DecRef(ptr %225)
  %228 = load ptr, ptr @entry_failure, align 8
  %229 = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr %228, ptr null)
  br label %230

230:
  %231 = phi ptr [ null, %215 ], [ null, %76 ], [ %78, %212 ], [ null, %227 ], [ null, %47 ], [ null, %218 ], [ null, %222 ], [ null, %68 ], [ null, %27 ]
  ret ptr %231
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
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %7 = load i64, ptr %6, align 8
  %8 = getelementptr inbounds ptr, ptr %1, i64 %7
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds ptr, ptr %1, i64 %10
  %12 = shl i64 %10, 3
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %1, ptr align 8 %3, i64 %12, i1 false)
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds i64, ptr %0, i64 %14
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %17 = load i64, ptr %16, align 8
  %18 = icmp sgt i64 %17, 0
  br i1 %18, label %19, label %32

19:
  %20 = ptrtoint ptr %1 to i64
  br label %21

21:
  %22 = phi i64 [ 0, %19 ], [ %28, %21 ]
  %23 = getelementptr inbounds nuw i64, ptr %15, i64 %22
  %24 = load i64, ptr %23, align 8
  %25 = add i64 %24, %20
  %26 = inttoptr i64 %25 to ptr
  %27 = getelementptr inbounds nuw ptr, ptr %11, i64 %22
  store ptr %26, ptr %27, align 8
  %28 = add nuw nsw i64 %22, 1
  %29 = icmp eq i64 %28, %17
  br i1 %29, label %30, label %21

30:
  %31 = load i64, ptr %16, align 8
  br label %32

32:
  %33 = phi i64 [ %31, %30 ], [ %17, %4 ]
  %34 = getelementptr inbounds ptr, ptr %11, i64 %33
  %35 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %36 = load i64, ptr %35, align 8
  %37 = getelementptr inbounds i64, ptr %0, i64 %36
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %39 = load i64, ptr %38, align 8
  %40 = icmp sgt i64 %39, 0
  br i1 %40, label %41, label %51

41:
  %42 = phi i64 [ %47, %41 ], [ 0, %32 ]
  %43 = getelementptr inbounds nuw i64, ptr %37, i64 %42
  %44 = load i64, ptr %43, align 8
  %45 = inttoptr i64 %44 to ptr
  %46 = getelementptr inbounds nuw ptr, ptr %34, i64 %42
  store ptr %45, ptr %46, align 8
  %47 = add nuw nsw i64 %42, 1
  %48 = icmp eq i64 %47, %39
  br i1 %48, label %49, label %41

49:
  %50 = load i64, ptr %38, align 8
  br label %51

51:
  %52 = phi i64 [ %50, %49 ], [ %39, %32 ]
  %53 = getelementptr inbounds ptr, ptr %34, i64 %52
  store ptr %2, ptr %53, align 8
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %55 = load i64, ptr %54, align 8
  %56 = getelementptr inbounds i64, ptr %0, i64 %55
  %57 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %58 = load i64, ptr %57, align 8
  %59 = icmp sgt i64 %58, 0
  br i1 %59, label %60, label %88

60:
  %61 = phi ptr [ %84, %83 ], [ %56, %51 ]
  %62 = load i64, ptr %61, align 8
  %63 = getelementptr inbounds ptr, ptr %1, i64 %62
  %64 = load ptr, ptr %63, align 8
  %65 = getelementptr inbounds nuw i8, ptr %61, i64 8
  %66 = load i64, ptr %65, align 8
  %67 = getelementptr inbounds ptr, ptr %1, i64 %66
  %68 = load ptr, ptr %67, align 8
  %69 = getelementptr inbounds nuw i8, ptr %61, i64 32
  %70 = load i64, ptr %69, align 8
  switch i64 %70, label %83 [
    i64 0, label %71
    i64 2, label %76
  ]

71:
  store ptr %68, ptr %63, align 8
  %72 = icmp eq ptr %64, %68
  br i1 %72, label %83, label %73

73:
  %74 = getelementptr inbounds nuw i8, ptr %61, i64 24
  %75 = load i64, ptr %74, align 8
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %68, ptr align 1 %64, i64 %75, i1 false)
  br label %83

76:
  %77 = getelementptr inbounds nuw i8, ptr %61, i64 16
  %78 = load i64, ptr %77, align 8
  %79 = getelementptr inbounds ptr, ptr %1, i64 %78
  %80 = load ptr, ptr %79, align 8
  store ptr %80, ptr %67, align 8
  %81 = load i64, ptr %77, align 8
  %82 = getelementptr inbounds ptr, ptr %1, i64 %81
  store ptr %68, ptr %82, align 8
  br label %83

83:
  %84 = getelementptr inbounds nuw i8, ptr %61, i64 40
  %85 = load i64, ptr %57, align 8
  %86 = getelementptr inbounds %struct.Carry, ptr %56, i64 %85
  %87 = icmp ult ptr %84, %86
  br i1 %87, label %60, label %88

88:
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %90 = load i64, ptr %89, align 8
  %91 = getelementptr inbounds i64, ptr %0, i64 %90
  %92 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %93 = load i64, ptr %92, align 8
  %94 = icmp sgt i64 %93, 0
  br i1 %94, label %115, label %95

95:
  %96 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %97 = load i64, ptr %96, align 8
  %98 = getelementptr inbounds i64, ptr %0, i64 %97
  %99 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %100 = load i64, ptr %99, align 8
  %101 = icmp sgt i64 %100, 0
  br i1 %101, label %102, label %111

102:
  %103 = phi i64 [ %109, %102 ], [ 0, %95 ]
  %104 = getelementptr inbounds nuw i64, ptr %98, i64 %103
  %105 = load i64, ptr %104, align 8
  %106 = getelementptr inbounds ptr, ptr %1, i64 %105
  %107 = load ptr, ptr %106, align 8
  %108 = getelementptr inbounds nuw ptr, ptr %8, i64 %103
  store ptr %107, ptr %108, align 8
  %109 = add nuw nsw i64 %103, 1
  %110 = icmp eq i64 %109, %100
  br i1 %110, label %111, label %102

111:
  %112 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %113 = load i64, ptr %112, align 8
  %114 = icmp eq i64 %113, 0
  br i1 %114, label %127, label %130

115:
  %116 = phi ptr [ %123, %115 ], [ %91, %88 ]
  %117 = getelementptr inbounds nuw i8, ptr %116, i64 8
  %118 = load i64, ptr %117, align 8
  %119 = load i64, ptr %116, align 8
  %120 = getelementptr inbounds ptr, ptr %1, i64 %119
  %121 = load ptr, ptr %120, align 8
  %122 = getelementptr inbounds i8, ptr %121, i64 %118
  store ptr %122, ptr %120, align 8
  %123 = getelementptr inbounds nuw i8, ptr %116, i64 24
  %124 = load i64, ptr %92, align 8
  %125 = getelementptr inbounds %struct.Sequence, ptr %91, i64 %124
  %126 = icmp ult ptr %123, %125
  br i1 %126, label %115, label %95

127:
  %128 = load i64, ptr %92, align 8
  %129 = icmp ne i64 %128, 0
  br label %130

130:
  %131 = phi i1 [ true, %111 ], [ %129, %127 ]
  %132 = load i64, ptr %0, align 8
  %133 = icmp eq i64 %132, 0
  br i1 %133, label %322, label %134

134:
  %135 = icmp slt i64 %132, 0
  %136 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %137 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %138 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %139 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %140 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %141 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %142 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %143 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %144 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %145 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %146 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %147 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %148 = load i64, ptr getelementptr inbounds nuw (i8, ptr @SYSTEM, i64 8), align 8
  %149 = trunc i64 %148 to i32
  %150 = getelementptr inbounds nuw i8, ptr %5, i64 8
  br label %151

151:
  %152 = phi i1 [ %135, %134 ], [ %319, %312 ]
  %153 = phi i64 [ 0, %134 ], [ %317, %312 ]
  %154 = phi i64 [ 64, %134 ], [ %316, %312 ]
  %155 = phi i64 [ 64, %134 ], [ %315, %312 ]
  %156 = phi i64 [ 0, %134 ], [ %314, %312 ]
  %157 = phi i64 [ 0, %134 ], [ %313, %312 ]
  br i1 %152, label %158, label %189

158:
  %159 = load i64, ptr %136, align 8
  %160 = icmp slt i64 %159, 0
  br i1 %160, label %161, label %167

161:
  %162 = load i64, ptr %138, align 8
  %163 = icmp ne i64 %162, 0
  %164 = load i64, ptr %139, align 8
  %165 = load i64, ptr %140, align 8
  %166 = getelementptr inbounds i64, ptr %0, i64 %165
  call fastcc void @run_stages(ptr %166, i64 %164, ptr %8, i1 %163)
  br label %183

167:
  %168 = load i64, ptr %137, align 8
  %169 = getelementptr inbounds i64, ptr %0, i64 %168
  %170 = mul nuw nsw i64 %159, 24
  %171 = getelementptr inbounds nuw i8, ptr %169, i64 %170
  %172 = icmp eq i64 %159, 0
  br i1 %172, label %183, label %173

173:
  %174 = phi ptr [ %181, %173 ], [ %169, %167 ]
  %175 = load ptr, ptr %174, align 8
  %176 = getelementptr inbounds nuw i8, ptr %174, i64 16
  %177 = load i64, ptr %176, align 8
  %178 = getelementptr inbounds ptr, ptr %8, i64 %177
  %179 = getelementptr inbounds nuw i8, ptr %174, i64 8
  %180 = load i64, ptr %179, align 8
  call void %175(ptr %178, i64 0, i64 %180, i64 0)
  %181 = getelementptr inbounds nuw i8, ptr %174, i64 24
  %182 = icmp ult ptr %181, %171
  br i1 %182, label %173, label %183

183:
  %184 = load i64, ptr %141, align 8
  %185 = getelementptr inbounds ptr, ptr %1, i64 %184
  %186 = load ptr, ptr %185, align 8
  %187 = load i8, ptr %186, align 1
  %188 = icmp eq i8 %187, 0
  br i1 %188, label %322, label %189

189:
  %190 = load i64, ptr %142, align 8
  %191 = icmp slt i64 %190, 0
  br i1 %191, label %192, label %198

192:
  %193 = load i64, ptr %138, align 8
  %194 = icmp ne i64 %193, 0
  %195 = load i64, ptr %144, align 8
  %196 = load i64, ptr %145, align 8
  %197 = getelementptr inbounds i64, ptr %0, i64 %196
  call fastcc void @run_stages(ptr %197, i64 %195, ptr %8, i1 %194)
  br label %214

198:
  %199 = load i64, ptr %143, align 8
  %200 = getelementptr inbounds i64, ptr %0, i64 %199
  %201 = mul nuw nsw i64 %190, 24
  %202 = getelementptr inbounds nuw i8, ptr %200, i64 %201
  %203 = icmp eq i64 %190, 0
  br i1 %203, label %214, label %204

204:
  %205 = phi ptr [ %212, %204 ], [ %200, %198 ]
  %206 = load ptr, ptr %205, align 8
  %207 = getelementptr inbounds nuw i8, ptr %205, i64 16
  %208 = load i64, ptr %207, align 8
  %209 = getelementptr inbounds ptr, ptr %8, i64 %208
  %210 = getelementptr inbounds nuw i8, ptr %205, i64 8
  %211 = load i64, ptr %210, align 8
  call void %206(ptr %209, i64 0, i64 %211, i64 0)
  %212 = getelementptr inbounds nuw i8, ptr %205, i64 24
  %213 = icmp ult ptr %212, %202
  br i1 %213, label %204, label %214

214:
  br i1 %131, label %215, label %274

215:
  %216 = load i64, ptr %54, align 8
  %217 = getelementptr inbounds i64, ptr %0, i64 %216
  %218 = load i64, ptr %112, align 8
  %219 = icmp sgt i64 %218, 0
  br i1 %219, label %225, label %220

220:
  %221 = load i64, ptr %89, align 8
  %222 = getelementptr inbounds i64, ptr %0, i64 %221
  %223 = load i64, ptr %92, align 8
  %224 = icmp sgt i64 %223, 0
  br i1 %224, label %250, label %245

225:
  %226 = phi ptr [ %241, %225 ], [ %217, %215 ]
  %227 = getelementptr inbounds nuw i8, ptr %226, i64 8
  %228 = load i64, ptr %227, align 8
  %229 = getelementptr inbounds ptr, ptr %1, i64 %228
  %230 = load ptr, ptr %229, align 8
  %231 = load i64, ptr %226, align 8
  %232 = getelementptr inbounds ptr, ptr %1, i64 %231
  store ptr %230, ptr %232, align 8
  %233 = getelementptr inbounds nuw i8, ptr %226, i64 16
  %234 = load i64, ptr %233, align 8
  %235 = getelementptr inbounds ptr, ptr %1, i64 %234
  %236 = load ptr, ptr %235, align 8
  %237 = load i64, ptr %227, align 8
  %238 = getelementptr inbounds ptr, ptr %1, i64 %237
  store ptr %236, ptr %238, align 8
  %239 = load i64, ptr %233, align 8
  %240 = getelementptr inbounds ptr, ptr %1, i64 %239
  store ptr %230, ptr %240, align 8
  %241 = getelementptr inbounds nuw i8, ptr %226, i64 40
  %242 = load i64, ptr %112, align 8
  %243 = getelementptr inbounds %struct.Carry, ptr %217, i64 %242
  %244 = icmp ult ptr %241, %243
  br i1 %244, label %225, label %220

245:
  %246 = load i64, ptr %146, align 8
  %247 = getelementptr inbounds i64, ptr %0, i64 %246
  %248 = load i64, ptr %147, align 8
  %249 = icmp sgt i64 %248, 0
  br i1 %249, label %262, label %274

250:
  %251 = phi ptr [ %258, %250 ], [ %222, %220 ]
  %252 = getelementptr inbounds nuw i8, ptr %251, i64 16
  %253 = load i64, ptr %252, align 8
  %254 = load i64, ptr %251, align 8
  %255 = getelementptr inbounds ptr, ptr %1, i64 %254
  %256 = load ptr, ptr %255, align 8
  %257 = getelementptr inbounds i8, ptr %256, i64 %253
  store ptr %257, ptr %255, align 8
  %258 = getelementptr inbounds nuw i8, ptr %251, i64 24
  %259 = load i64, ptr %92, align 8
  %260 = getelementptr inbounds %struct.Sequence, ptr %222, i64 %259
  %261 = icmp ult ptr %258, %260
  br i1 %261, label %250, label %245

262:
  %263 = phi ptr [ %270, %262 ], [ %247, %245 ]
  %264 = getelementptr inbounds nuw i8, ptr %263, i64 8
  %265 = load i64, ptr %264, align 8
  %266 = getelementptr inbounds ptr, ptr %1, i64 %265
  %267 = load ptr, ptr %266, align 8
  %268 = load i64, ptr %263, align 8
  %269 = getelementptr inbounds ptr, ptr %8, i64 %268
  store ptr %267, ptr %269, align 8
  %270 = getelementptr inbounds nuw i8, ptr %263, i64 16
  %271 = load i64, ptr %147, align 8
  %272 = getelementptr inbounds %struct.Changing, ptr %247, i64 %271
  %273 = icmp ult ptr %270, %272
  br i1 %273, label %262, label %274

274:
  %275 = load atomic i32, ptr %2 monotonic, align 4
  %276 = icmp eq i32 %275, 0
  br i1 %276, label %277, label %322

277:
  %278 = add i64 %154, -1
  %279 = icmp slt i64 %278, 1
  br i1 %279, label %280, label %312

280:
  %281 = call i32 @clock_gettime(i32 %149, ptr %5)
  %282 = load i64, ptr %5, align 16
  %283 = mul i64 %282, 1000000000
  %284 = load i64, ptr %150, align 8
  %285 = add i64 %283, %284
  %286 = sub i64 %285, %156
  %287 = icmp eq i64 %156, 0
  %288 = select i1 %287, i64 %285, i64 %157
  %289 = icmp ult i64 %286, 1000000
  br i1 %289, label %290, label %293

290:
  %291 = shl i64 %155, 1
  %292 = call i64 @llvm.smin.i64(i64 %291, i64 65536)
  br label %298

293:
  %294 = icmp ugt i64 %286, 20000000
  br i1 %294, label %295, label %298

295:
  %296 = sdiv i64 %155, 8
  %297 = call i64 @llvm.smax.i64(i64 %296, i64 1)
  br label %298

298:
  %299 = phi i64 [ %292, %290 ], [ %297, %295 ], [ %155, %293 ]
  %300 = sub i64 %285, %288
  %301 = icmp slt i64 %300, 100000001
  br i1 %301, label %305, label %302

302:
  %303 = call ptr @PyGILState_GetThisThreadState()
  %304 = icmp eq ptr %303, null
  br i1 %304, label %305, label %307

305:
  %306 = phi i64 [ %285, %302 ], [ %288, %298 ]
  br label %312

307:
  %308 = call i32 @PyGILState_Ensure()
  %309 = call i32 @PyErr_CheckSignals()
  call void @PyGILState_Release(i32 %308)
  %310 = icmp eq i32 %309, 0
  br i1 %310, label %312, label %311

311:
  store atomic i32 -1, ptr %2 monotonic, align 4
  br label %322

312:
  %313 = phi i64 [ %285, %307 ], [ %157, %277 ], [ %306, %305 ]
  %314 = phi i64 [ %285, %307 ], [ %156, %277 ], [ %285, %305 ]
  %315 = phi i64 [ %299, %307 ], [ %155, %277 ], [ %299, %305 ]
  %316 = phi i64 [ %299, %307 ], [ %278, %277 ], [ %299, %305 ]
  %317 = add i64 %153, 1
  %318 = load i64, ptr %0, align 8
  %319 = icmp slt i64 %318, 0
  %320 = icmp slt i64 %317, %318
  %321 = select i1 %319, i1 true, i1 %320
  br i1 %321, label %151, label %322

322:
  %323 = load i64, ptr %54, align 8
  %324 = getelementptr inbounds i64, ptr %0, i64 %323
  %325 = load i64, ptr %57, align 8
  %326 = icmp sgt i64 %325, 0
  br i1 %326, label %327, label %347

327:
  %328 = phi i64 [ %343, %342 ], [ %325, %322 ]
  %329 = phi ptr [ %344, %342 ], [ %324, %322 ]
  %330 = load i64, ptr %329, align 8
  %331 = getelementptr inbounds ptr, ptr %1, i64 %330
  %332 = load ptr, ptr %331, align 8
  %333 = getelementptr inbounds nuw i8, ptr %329, i64 8
  %334 = load i64, ptr %333, align 8
  %335 = getelementptr inbounds ptr, ptr %3, i64 %334
  %336 = load ptr, ptr %335, align 8
  %337 = icmp eq ptr %332, %336
  br i1 %337, label %342, label %338

338:
  %339 = getelementptr inbounds nuw i8, ptr %329, i64 24
  %340 = load i64, ptr %339, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %336, ptr align 1 %332, i64 %340, i1 false)
  %341 = load i64, ptr %57, align 8
  br label %342

342:
  %343 = phi i64 [ %328, %327 ], [ %341, %338 ]
  %344 = getelementptr inbounds nuw i8, ptr %329, i64 40
  %345 = getelementptr inbounds %struct.Carry, ptr %324, i64 %343
  %346 = icmp ult ptr %344, %345
  br i1 %346, label %327, label %347

347:
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

define internal fastcc void @run_stages(ptr %0, i64 %1, ptr %2, i1 %3) nounwind {
  %5 = alloca %struct.Job, align 8
  %6 = icmp sgt i64 %1, 0
  br i1 %6, label %7, label %9

7:
  %8 = getelementptr inbounds nuw i8, ptr %5, i64 8
  br label %10

9:
  ret void

10:
  %11 = phi i64 [ 0, %7 ], [ %92, %89 ]
  %12 = phi ptr [ %0, %7 ], [ %91, %89 ]
  store ptr %12, ptr %5, align 8
  store ptr %2, ptr %8, align 8
  %13 = getelementptr inbounds nuw i8, ptr %12, i64 24
  br i1 %3, label %65, label %14

14:
  %15 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %16 = load i64, ptr %15, align 8
  %17 = icmp sgt i64 %16, 0
  br i1 %17, label %18, label %89

18:
  %19 = load i64, ptr %12, align 8
  br label %20

20:
  %21 = phi i64 [ %61, %60 ], [ %16, %18 ]
  %22 = phi i64 [ %62, %60 ], [ %19, %18 ]
  %23 = phi i64 [ %63, %60 ], [ 0, %18 ]
  %24 = icmp sgt i64 %22, 0
  br i1 %24, label %25, label %60

25:
  %26 = phi i64 [ %53, %52 ], [ %22, %20 ]
  %27 = phi i64 [ %54, %52 ], [ %22, %20 ]
  %28 = phi ptr [ %55, %52 ], [ %13, %20 ]
  %29 = load ptr, ptr %28, align 8
  %30 = getelementptr inbounds nuw i8, ptr %28, i64 32
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds ptr, ptr %2, i64 %31
  %33 = getelementptr inbounds nuw i8, ptr %28, i64 40
  %34 = load i64, ptr %33, align 8
  %35 = mul i64 %34, %23
  %36 = getelementptr inbounds ptr, ptr %32, i64 %35
  %37 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %38 = load i64, ptr %37, align 8
  %39 = getelementptr inbounds nuw i8, ptr %28, i64 16
  %40 = load i64, ptr %39, align 8
  %41 = icmp sgt i64 %38, 0
  br i1 %41, label %42, label %52

42:
  %43 = phi i64 [ %47, %42 ], [ 0, %25 ]
  %44 = phi i64 [ %48, %42 ], [ 0, %25 ]
  %45 = sub i64 %38, %43
  %46 = call i64 @llvm.smin.i64(i64 %40, i64 %45)
  %47 = add i64 %46, %43
  call void %29(ptr %36, i64 %43, i64 %47, i64 %44)
  %48 = add i64 %44, 1
  %49 = icmp slt i64 %47, %38
  br i1 %49, label %42, label %50

50:
  %51 = load i64, ptr %12, align 8
  br label %52

52:
  %53 = phi i64 [ %51, %50 ], [ %26, %25 ]
  %54 = phi i64 [ %51, %50 ], [ %27, %25 ]
  %55 = getelementptr inbounds nuw i8, ptr %28, i64 48
  %56 = getelementptr inbounds %struct.Step, ptr %13, i64 %54
  %57 = icmp ult ptr %55, %56
  br i1 %57, label %25, label %58

58:
  %59 = load i64, ptr %15, align 8
  br label %60

60:
  %61 = phi i64 [ %59, %58 ], [ %21, %20 ]
  %62 = phi i64 [ %53, %58 ], [ %22, %20 ]
  %63 = add nuw nsw i64 %23, 1
  %64 = icmp slt i64 %63, %61
  br i1 %64, label %20, label %89

65:
  %66 = load i64, ptr %12, align 8
  %67 = icmp sgt i64 %66, 1
  %68 = getelementptr inbounds nuw i8, ptr %12, i64 8
  %69 = load i64, ptr %68, align 8
  br i1 %67, label %70, label %74

70:
  %71 = getelementptr inbounds nuw i8, ptr %12, i64 16
  %72 = load i64, ptr %71, align 8
  %73 = mul i64 %72, %69
  call void @parallel_for(ptr @spread_tables, ptr %5, i64 %73, i64 1)
  br label %89

74:
  %75 = icmp sgt i64 %69, 1
  br i1 %75, label %76, label %80

76:
  %77 = getelementptr inbounds nuw i8, ptr %12, i64 48
  %78 = load i64, ptr %77, align 8
  %79 = mul i64 %78, %69
  call void @parallel_for(ptr @spread_chunks, ptr %5, i64 %79, i64 1)
  br label %89

80:
  %81 = load ptr, ptr %13, align 8
  %82 = getelementptr inbounds nuw i8, ptr %12, i64 56
  %83 = load i64, ptr %82, align 8
  %84 = getelementptr inbounds ptr, ptr %2, i64 %83
  %85 = getelementptr inbounds nuw i8, ptr %12, i64 32
  %86 = load i64, ptr %85, align 8
  %87 = getelementptr inbounds nuw i8, ptr %12, i64 40
  %88 = load i64, ptr %87, align 8
  call void @parallel_for(ptr %81, ptr %84, i64 %86, i64 %88)
  br label %89

89:
  %90 = load i64, ptr %12, align 8
  %91 = getelementptr inbounds %struct.Step, ptr %13, i64 %90
  %92 = add nuw nsw i64 %11, 1
  %93 = icmp eq i64 %92, %1
  br i1 %93, label %9, label %10
}

declare ptr @PyEval_SaveThread()

declare void @PyEval_RestoreThread(ptr)

declare ptr @PyLong_AsVoidPtr(ptr)

declare void @Py_IncRef(ptr)

declare ptr @PyTuple_New(i64)

declare i32 @PyTuple_SetItem(ptr, i64, ptr)

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

declare i32 @clock_gettime(i32, ptr)

declare ptr @PyGILState_GetThisThreadState()

declare i32 @PyGILState_Ensure()

declare i32 @PyErr_CheckSignals()

declare void @PyGILState_Release(i32)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.usub.sat.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.umax.i64(i64, i64)

declare i32 @llvm.smax.i32(i32, i32)
